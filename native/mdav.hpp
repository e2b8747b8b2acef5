// Maximum distance to the average vector: MDAV-generic.
#pragma once

#include "average.hpp"
#include "cells.hpp"
#include "poll.hpp"
#include "search.hpp"

namespace covey {

// How the records that are left in the end are dealt with.
enum class Tail : std::uint8_t {
  split,   // 2k … 3k−1 left: the cell of x_r, and the rest; fewer: one cell
  adjoin,  // pairs of cells while 2k are left; then k … 2k−1 form a cell, fewer join the last one
};

// Puts the records, at least k, into cells in order of creation.
// Time: n/k nearest and n/k farthest queries: O(n/k · log n) in few dimensions, O(n²·d/k) at worst.
// Scratch: that of the index, 2 to 4 times the records.
void mdav(const Records& records, const Options& options, Tail tail, Cells& cells,
          Ticker& ticker);

}  // namespace covey
