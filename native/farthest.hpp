// The records by their distance from a point.
#pragma once

#include <algorithm>
#include <vector>

#include "average.hpp"
#include "space.hpp"

namespace covey {

// Farthest first; of several the lowest. Time: O(n·(d + log n)).
inline std::vector<Row> farthest_first(const Space& space, const std::vector<double>& point) {
  std::vector<Hit> hits;
  hits.reserve(static_cast<std::size_t>(space.n));
  for (Row row = 0; row < space.n; ++row) hits.push_back({space.distance(space.row(row), point.data()), row});
  std::sort(hits.begin(), hits.end(), farther);
  std::vector<Row> order;
  order.reserve(hits.size());
  for (const Hit& hit : hits) order.push_back(hit.row);
  return order;
}

// Farthest from their average first.
inline std::vector<Row> from_the_outside_in(const Records& records) {
  std::vector<double> average(static_cast<std::size_t>(records.space.d()));
  RunningAverage(records).write(average);
  return farthest_first(records.space, average);
}

}  // namespace covey
