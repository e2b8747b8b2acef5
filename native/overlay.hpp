// Two partitions of the same records, and the best of both.
#pragma once

#include <span>
#include <vector>

#include "cells.hpp"

namespace covey {

// Cells of either partition that share a record hang together, and what hangs together holds the same records in
// both: so each such component may be taken from whichever partition has the lower sum of squared errors there, and the
// result is a partition whose sum is at most that of either. Time: about O(n + cells), beside the costs of the cells.
class Overlay {
 public:
  // The cells of each record, numbered below `cells`.
  Overlay(std::span<const Label> first, std::span<const Label> second, Label cells);

  // Whether the second partition costs less than the first around each record. The costs are of each cell.
  std::vector<bool> second_is_better(std::span<const double> first_costs, std::span<const double> second_costs);

 private:
  std::size_t root(std::size_t cell);

  std::span<const Label> first_;
  std::size_t cells_;
  std::vector<std::size_t> above_;  // cells of the first partition, then those of the second
};

}  // namespace covey
