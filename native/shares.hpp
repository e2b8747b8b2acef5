// What the records add to the error of their cells at the least: a lower bound for every partition.
#pragma once

#include <vector>

#include "poll.hpp"
#include "space.hpp"

namespace covey {

struct ShareBound {
  double sum = 0.0;
  std::vector<double> shares;  // of each record, about: those of no cell add up to more than its error
};

// A number that no partition of the records into cells of at least k has a lower sum of squared errors than, in
// whatever sizes its cells are; at least 0. All columns are numeric, and 1 ≤ k ≤ n.
//
// With prices p, the record i of a cell S of s records has the share (1/2k)·Σ_{j∈S} x·(d²_ij + p_i − p_j), x = k/s,
// of its error, for the prices of a pair cancel. Each x is at most 1 and they add up to k(s−1)/s, at least k − 1 and
// less than k: so the share is at least 1/2k times the k − 1 least d²_ij + p_i − p_j of all records j, and the k-th
// too if it is negative. As d²_ij − p_j is a squared distance in one column more, a tree finds them. Prices rise
// for records that too few others choose and fall for those that too many do, for so many rounds, over lists of some
// 2k neighbours; without rounds they are 0. The greater of the bounds with and without prices is returned.
//
// Rounding: whatever distances, prices and sums may have lost is taken off. docs/methods/bounds.md has the argument.
// Time: 2n searches for nearest records and O(nk) a round. Scratch: some 50k bytes a record; where that would be more
// than a gigabyte, prices stay 0.
ShareBound least_shares(const Space& space, Row k, int rounds, Ticker& ticker);

}  // namespace covey
