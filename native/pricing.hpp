// For each record, the cells that hold it and cost least beside the prices of their records.
#pragma once

#include <chrono>
#include <span>
#include <vector>

#include "poll.hpp"
#include "space.hpp"

namespace covey {

// How far to look.
struct Pricing {
  Row k;
  int each;                 // cells wanted for each record
  std::int64_t most_nodes;  // partial cells looked at for each record
  int most_candidates;      // records that may join each record
  double seconds;           // after which no record has more than its bound at the root
};

struct PricedCells {
  std::vector<std::int64_t> rows;    // of all cells, one after another
  std::vector<std::int64_t> begins;  // of each cell in `rows`, and the end
  std::vector<double> shares;        // of each record: no cell that holds it has a lesser share, and none if 0 has one below 0
  bool complete = true;              // no search was cut short
};

// The share of a cell S of k … 2k − 1 records is (SSE(S) − Σ_S prices)/|S|. Finds for each record up to `each` cells of
// least shares below 0 that hold it, by branch and bound, and a lower bound on the least.
//
// With W the sum of squared distances of the pairs of a partial cell P of p records, and R_j that from record j to P,
// a cell of s records P ∪ Q has s·SSE = W + Σ_{j∈Q} R_j + the pairs of Q, of which each record of Q has at least half
// of its s − p − 1 nearest. So the bound for each s is a sum over the s − p best records.
// Time: O(n·d) and some microseconds a node for each record. Scratch: most_candidates² + O(nk).
PricedCells price_cells(const Space& space, std::span<const double> prices, const Pricing& how, Ticker& ticker);

}  // namespace covey
