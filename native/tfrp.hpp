// Two fixed reference points: cells around the records farthest from each by turns, then some dissolved.
#pragma once

#include "average.hpp"
#include "cells.hpp"
#include "poll.hpp"
#include "search.hpp"

namespace covey {

// R1 has the greatest value of every column, R2 the least. While k records are left, the one farthest from R1, next
// time from R2, and so on by turns, forms a cell with its k − 1 nearest. Fewer than k records join the cells of nearest
// average. Then the cells, of greatest SSE first, are tried once each: if all its members joining the other cells of
// nearest average lowers the SSE, a cell is dissolved. All columns are numeric. There are at least k records.
//
// Reference: C.-C. Chang, Y.-C. Li, W.-H. Huang, "TFRP: an efficient microaggregation algorithm for statistical
// disclosure control". Time: n/k queries for the cells and n for the trials, O(n log n) in few dimensions.
// Scratch: that of the index, 40 bytes a record and (2 + d) doubles a cell.
void tfrp(const Records& records, const Options& options, Cells& cells, Ticker& ticker);

}  // namespace covey
