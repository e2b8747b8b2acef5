// Cells of 2k records and more, cut until there are none.
#pragma once

#include <span>
#include <vector>

#include "average.hpp"
#include "cells.hpp"
#include "poll.hpp"

namespace covey {

// Labels, 0 … cells − 1, of a partition whose cells hold at least k and fewer than 2k records, or all of them. A cell of
// 2k or more is cut across the line between two of its records that are far apart, about in the middle. That never
// raises the sum of squared errors from means or modes. Time: O(s·log² s·d) for a cell of s records.
std::vector<Label> split_large(const Space& space, std::span<const Label> labels, Row k, Ticker& ticker);

}  // namespace covey
