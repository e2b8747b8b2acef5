// t-closeness first: every cell has one record of each quantile of a confidential column.
#pragma once

#include <span>
#include <vector>

#include "cells.hpp"
#include "poll.hpp"
#include "space.hpp"

namespace covey {

// The records subset by subset, of these widths; none if these are not n records, each once, or do not suit `count` cells.
std::vector<std::vector<Row>> subsets_of(std::span<const Label> order, std::span<const Label> widths, Row n, Label count);

// `lines` are the records in subsets, all of which have at least `count` records, and at most one more for each cell to be
// formed, in all. Seeds are by turns the record farthest from the mean of those left, and that farthest from it; each takes
// the nearest record of each subset, and a second one of the first subset that has more records than cells are left. Ties go
// to the earlier record of the earlier subset. Time: O(n·m·d) for m cells. Scratch: n·d doubles.
void closeness_first(const Space& space, std::span<const std::vector<Row>> lines, Label count, Cells& cells, Ticker& ticker);

}  // namespace covey
