// Minimum-spanning-tree partitioning: the longest edges are cut as long as k records are left on both sides.
#pragma once

#include "average.hpp"
#include "cells.hpp"
#include "poll.hpp"
#include "search.hpp"

namespace covey {

// How cells of 2k records or more are dealt with.
enum class Split : std::uint8_t { md, none };

// Visits the edges of the minimum spanning tree from the longest to the shortest, and cuts each that leaves k records
// or more on both sides. What stays connected is a cell, numbered by its lowest record; one of 2k records or more is
// split by MD (M-d in the paper). There are at least k records.
//
// Reference: M. Laszlo, S. Mukherjee, "Minimum spanning tree partitioning algorithm for microaggregation".
// Time: that of the spanning tree, O(n·k) for the cuts, and MD's on the cells. Scratch: that of the spanning tree.
void mst(const Records& records, const Options& options, Split split, Cells& cells, Ticker& ticker);

}  // namespace covey
