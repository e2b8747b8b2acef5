// μ-Approx: a forest of trees of at least k records, decomposed into components of bounded size.
#pragma once

#include "average.hpp"
#include "cells.hpp"
#include "poll.hpp"
#include "search.hpp"

namespace covey {

// Forest: record after record, the one farthest from the average of all first, one whose tree has fewer than k records
// is joined to the nearest record of another tree.
// Decomposition: trees of more than max(2k − 1, 3k − 5) records are cut at a candidate until none is left; cells are
// what is connected then, numbered by their lowest record. There are at least k records.
//
// Reference: J. Domingo-Ferrer, F. Sebé, A. Solanas, "A polynomial-time approximation to optimal multivariate
// microaggregation". Time: n queries for at most k − 1 records, and for each cut one look at what hangs at the candidate:
// O(n·k·log n) in few dimensions. Scratch: that of the index and 60 bytes a record.
void mu_approx(const Records& records, const Options& options, Cells& cells, Ticker& ticker);

}  // namespace covey
