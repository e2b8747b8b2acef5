// Variable-size MDAV: cells that grow where the next record is closer to them than to its own neighbours.
#pragma once

#include "average.hpp"
#include "cells.hpp"
#include "poll.hpp"
#include "search.hpp"

namespace covey {

// While k records are left, the one farthest from the average of all and its k − 1 nearest form a cell; it
// grows up to 2k − 1 while the record left that is nearest to any of its members, at distance d_in, has
// d_in < γ·d_out, its distance d_out to the nearest other record left (without end if there is none). Fewer than k
// records join the cells of nearest average. There are at least k records.
//
// Reference: A. Solanas, A. Martínez-Ballesté, "V-MDAV: a multivariate microaggregation with variable group size".
// Time: at most 2k nearest queries a record, most of them cut short. Scratch: that of the index.
void vmdav(const Records& records, const Options& options, double gamma, Cells& cells,
           Ticker& ticker);

}  // namespace covey
