// Maximum distance: the two mutually farthest records left seed two cells, repeatedly.
#pragma once

#include "average.hpp"
#include "cells.hpp"
#include "poll.hpp"
#include "search.hpp"

namespace covey {

// While 2k records are left, the two that are farthest from each other (of several pairs the one with the lowest
// row, then with the lowest partner) form cells as in MDAV. Then k or more form a cell; fewer join the cells of
// nearest average. There are at least k records.
//
// The diameter is found without looking at all pairs: every record waits in a queue under an upper bound on its
// greatest distance, which can only fall as records leave, and is looked at again only when it comes to the front.
// Time: O(n log n) looks in practice, O(n²) at worst. Scratch: that of the index and 16 bytes a record.
void md(const Records& records, const Options& options, Cells& cells, Ticker& ticker);

}  // namespace covey
