// Cells with the nearest means, where means move and cells end.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "poll.hpp"
#include "tree.hpp"

namespace covey {

// Up to `scanned` cells are all looked at, sixteen at a time, which is exact. With more of them a tree answers for the means
// as they were when it was built, which is done anew after an eighth as many changes as there are cells: of three times as
// many cells as asked for the nearest ones as they are now are taken.
// Time a query: O(m·d) of m cells, or that of three times as many queries of a tree. Scratch: about 4d doubles a cell.
class NearestCells {
 public:
  NearestCells(std::span<const double> means, int d, Row scanned, Ticker& ticker);

  void move(Row cell, std::span<const double> mean);
  void remove(Row cell);
  // Up to so many living cells but this one, nearest first; ties to the lowest number.
  const std::vector<Hit>& near(Row cell, int count);

  std::span<const double> mean(Row cell) const {
    return std::span(means_).subspan(static_cast<std::size_t>(cell) * static_cast<std::size_t>(d_), static_cast<std::size_t>(d_));
  }
  Row alive() const { return alive_; }

 private:
  void put(Row cell);
  void scan(Row cell, Nearest& best) const;
  bool around(Row cell, int count, Nearest& best);
  void build();

  int d_;
  Row alive_;
  Ticker* ticker_;
  std::vector<double> means_;
  std::vector<bool> ended_;
  std::vector<double> blocks_;    // of sixteen cells, as the lanes have them

  // What the tree knows.
  bool has_tree_;
  Row changes_ = 0;
  std::vector<double> then_;      // means of the cells that were there
  std::vector<Row> numbers_;      // and their numbers
  Space space_{};
  std::unique_ptr<Tree> tree_;
  std::vector<Hit> found_;
};

}  // namespace covey
