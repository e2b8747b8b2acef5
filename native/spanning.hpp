// The minimum spanning tree of the records.
#pragma once

#include <tuple>
#include <vector>

#include "average.hpp"
#include "poll.hpp"
#include "search.hpp"

namespace covey {

// Two records and the squared distance between them; the lower row is a.
struct Edge {
  double square;
  Row a, b;
};
inline Edge edge_between(Row i, const Hit& hit) { return {hit.distance, std::min(i, hit.row), std::max(i, hit.row)}; }
// Of edges of the same length the one with the lowest row is the shorter, then the one with the lowest partner: so
// there is only one minimum spanning tree.
inline bool shorter(const Edge& x, const Edge& y) {
  return std::tie(x.square, x.a, x.b) < std::tie(y.square, y.a, y.b);
}

// The n − 1 edges of the minimum spanning tree, in no order. Progress: the edges found.
// By brute force it is Prim's algorithm: time O(n²·d), scratch (1 + d)·n doubles. By the tree it is Borůvka's: every
// part of the forest takes its shortest edge out of it, at most log n times; O(n log n) looks at records in few
// columns, and scratch of that of the index and 40 bytes a record. Neither ever holds n² distances.
std::vector<Edge> spanning_tree(const Records& records, Search search, Ticker& ticker);

}  // namespace covey
