// What moves do to the sum of squared errors where columns are averaged by means, medians or modes.
#pragma once

#include <span>
#include <vector>

#include "average.hpp"
#include "roster.hpp"

namespace covey {

// The same questions as Means answers, answered by averaging the cell anew: there is no closed form for a median.
// Time: O(s·log s·d) for a cell of s records, and as many levels as there are for a convex median. Scratch: a copy of
// the records, and a double a cell.
class Mixed {
 public:
  Mixed(const Records& records, std::span<const Row> order, Row cells, Row room);

  double joining(const Roster& roster, Row x, Row cell) const {
    return cost_with(roster, cell, no_row, x) - cost_[static_cast<std::size_t>(cell)];
  }
  double leaving(const Roster& roster, Row x) const {
    const Row cell = roster.cell(x);
    return cost_[static_cast<std::size_t>(cell)] - cost_with(roster, cell, x, no_row);
  }
  double swapping(const Roster& roster, Row x, Row y) const {
    return replacing(roster, x, y) + replacing(roster, y, x);
  }
  double replacing(const Roster& roster, Row x, Row y) const {
    const Row cell = roster.cell(x);
    return cost_with(roster, cell, x, y) - cost_[static_cast<std::size_t>(cell)];
  }

  void joined(const Roster& roster, Row /*x*/, Row cell) { take_anew(roster, cell); }
  void left(const Roster& roster, Row /*x*/, Row cell) { take_anew(roster, cell); }
  void replaced(const Roster& roster, Row cell, Row /*x*/, Row /*y*/) { take_anew(roster, cell); }

  double squared_distance(Row x, Row y) const { return space_.distance(space_.row(x), space_.row(y)); }
  double cost(std::span<const Row> members) const;

 private:
  void take_anew(const Roster& roster, Row cell) { cost_[static_cast<std::size_t>(cell)] = cost(roster.members(cell)); }
  // The cost of a cell without one record and with another.
  double cost_with(const Roster& roster, Row cell, Row without, Row with) const;
  double column_cost(int column) const;
  double median_of(const ColumnAverage& average) const;

  std::vector<double> rows_;
  Space space_;
  std::vector<ColumnAverage> columns_;
  std::vector<double> cost_;  // of each cell
  mutable std::vector<Row> members_;
  mutable std::vector<double> values_;
  mutable std::vector<std::int64_t> frequencies_;
};

}  // namespace covey
