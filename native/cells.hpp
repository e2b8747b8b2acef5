// A partition in the making: which cell each record is in.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "average.hpp"
#include "space.hpp"

namespace covey {

using Label = std::int64_t;
inline constexpr Label no_cell = -1;

struct Cells {
  std::vector<Label> labels;
  Label count = 0;

  explicit Cells(Row n) : labels(static_cast<std::size_t>(n), no_cell) {}

  void put(Row row, Label cell) { labels[static_cast<std::size_t>(row)] = cell; }
  // The next cell, of these records.
  void form(std::span<const Row> rows) {
    for (const Row row : rows) put(row, count);
    ++count;
  }
};

// Each of `rows` joins the cell whose average record, before any of them joined, is nearest to it; the
// lowest cell of several. Time: O(n·d + rows·m·d).
void join_nearest(const Records& records, std::span<const Row> rows, Cells& cells);

}  // namespace covey
