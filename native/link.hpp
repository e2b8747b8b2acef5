// Of each query its nearest record's distance, and how many records are at just that: exact, with every tie.
#pragma once

#include <span>
#include <vector>

#include "poll.hpp"
#include "space.hpp"
#include "tied.hpp"

namespace covey {

// `counts[i]` is what record i stands for. Queries are rows of the same columns as the records.
// Paper: distance-based record linkage (Domingo-Ferrer, Torra 2001). Time: O(q log n) in few columns, O(q·n·d) at
// worst. Scratch: that of a tree of the records.
std::vector<Tied> link(const Space& records, bool exact_masks, std::span<const std::int64_t> counts,
                       std::span<const double> queries, int threads, Ticker& ticker);

}  // namespace covey
