// A quantizer at work: each record to the cell where its d + c is least.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "poll.hpp"

namespace covey {

// For records and reconstruction points of the same columns, row after row, and a cost for each point. Equal values go to
// the lowest cell. A cost is the square of one more column, √(c − least c), in which records are 0: so the k-d tree finds
// the least d + c as it finds the nearest. Time: about O(log m) a record in few columns. Scratch: that of the tree.
void assign(std::span<const double> X, std::span<const double> points, std::span<const double> costs,
            std::vector<std::int64_t>& labels, Ticker& ticker);

}  // namespace covey
