// The optimal partition of one column.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "poll.hpp"

namespace covey {

// Where each cell of the partition of least sum of squared errors begins, for finite values in ascending order, at
// least k of them, of magnitudes up to 1e100. Cells are runs of k … 2k−1 values, or all values if there are fewer
// than 2k. The error of each cell is reckoned about one of its own values, and sums are carried in pairs of doubles,
// so that the least sum found is the least of the values as given to some 25 digits, whatever their range.
//
// Reference: S. Hansen, S. Mukherjee, "A polynomial algorithm for optimal univariate microaggregation" (shortest
// path). The best last cell begins no earlier as the values go on, so the paths of k values are settled together by
// bisection. Time: O(n log k). Scratch: 3 words a value and 24k words.
std::vector<std::int64_t> univariate(std::span<const double> sorted, std::int64_t k, Ticker& ticker);

}  // namespace covey
