// The records of each cell, from the labels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "space.hpp"

namespace covey {

// Counting sort of the records by label; records with a negative label are in no cell. O(n + m).
class Groups {
 public:
  Groups(std::span<const std::int64_t> labels, std::int64_t count)
      : begin_(static_cast<std::size_t>(count) + 1), rows_(labels.size()) {
    for (const auto label : labels)
      if (label >= 0) ++begin_[static_cast<std::size_t>(label) + 1];
    for (std::size_t cell = 1; cell < begin_.size(); ++cell) begin_[cell] += begin_[cell - 1];
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (labels[i] >= 0) rows_[next[static_cast<std::size_t>(labels[i])]++] = static_cast<Row>(i);
  }

  // In ascending order.
  std::span<const Row> members(std::int64_t cell) const {
    const auto c = static_cast<std::size_t>(cell);
    return std::span(rows_).subspan(begin_[c], begin_[c + 1] - begin_[c]);
  }

 private:
  std::vector<std::size_t> begin_;
  std::vector<Row> rows_;
};

}  // namespace covey
