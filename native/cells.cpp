#include "cells.hpp"

#include <limits>

#include "group.hpp"

namespace covey {

void join_nearest(const Records& records, std::span<const Row> rows, Cells& cells) {
  if (rows.empty()) return;
  const Space& space = records.space;
  const auto d = static_cast<std::size_t>(space.d());
  const Groups groups(cells.labels, cells.count);
  std::vector<double> averages(static_cast<std::size_t>(cells.count) * d);
  for (Label cell = 0; cell < cells.count; ++cell)
    RunningAverage(records, groups.members(cell)).write({averages.data() + static_cast<std::size_t>(cell) * d, d});

  for (const Row row : rows) {
    Label best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (Label cell = 0; cell < cells.count; ++cell) {
      const double distance = space.distance(space.row(row), averages.data() + static_cast<std::size_t>(cell) * d);
      if (distance < least) {
        least = distance;
        best = cell;
      }
    }
    cells.put(row, best);
  }
}

}  // namespace covey
