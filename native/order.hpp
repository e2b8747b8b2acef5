// The order in which records go into the leaves of a tree.
#pragma once

#include <span>
#include <vector>

#include "poll.hpp"
#include "space.hpp"

namespace covey {

// The shape of a tree: `top` children at the top, 16 below each group, `height` levels of groups above the leaves.
struct Shape {
  std::size_t top;
  int height;
  std::size_t leaves;
};
Shape shape_for(std::size_t records);

// Orders `rows` so that leaf i gets rows[begin[i]] … rows[begin[i+1] − 1], at most 16 of them, by splitting
// again and again across the column of greatest extent. Returns `begin`. Time: O(n log n).
std::vector<std::size_t> order_for_leaves(const Space& space, const Shape& shape, std::vector<Row>& rows, Ticker& ticker);

}  // namespace covey
