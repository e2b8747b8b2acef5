// The cells that cost least beside the prices of their records.
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
  int each;                 // cells wanted of each record
  std::int64_t most_nodes;  // partial cells looked at of each record
  int most_candidates;      // records that may join each record
  double seconds;           // after which records have no more than their bound at the root
};

struct PricedCells {
  std::vector<std::int64_t> rows;    // of all cells, one after another
  std::vector<std::int64_t> begins;  // of each cell in `rows`, and the end
  std::vector<double> excesses;      // by rank: 0, or what no cell of which the record is the first has less than
  bool complete = true;              // no search was cut short
};

// The excess of a cell S of k … 2k − 1 records is SSE(S) − Σ_S prices. Records are ranked; finds for each, by branch and
// bound, up to `each` of the cells of which it is the first that have the least excess below 0, and a lower bound on it.
//
// With W the sum of squared distances of the pairs of a partial cell P of p records, and R_j that from record j to P,
// a cell of s records P ∪ Q has s·SSE = W + Σ_{j∈Q} R_j + the pairs of Q, of which each record of Q has at least half
// of its s − p − 1 nearest. So the bound for each s is a sum over the s − p best records.
// Time: O(n·d) and some microseconds a node for each record. Scratch: most_candidates² + O(nk).
PricedCells price_cells(const Space& space, std::span<const double> prices, const Pricing& how, Ticker& ticker);

}  // namespace covey
