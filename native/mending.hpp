// Cells mended until none falls short, the cheapest steps first; and then made better.
#pragma once

#include <cstdint>
#include <vector>

#include "look.hpp"
#include "mended_cells.hpp"
#include "poll.hpp"

namespace covey {

inline constexpr int neighbours_looked_at = 12;

// Exchanges records and merges cells until no cell falls short.
//
// Of all steps that a failing cell could take with its neighbours (an exchange of two records, a move of one, a merger)
// that of the least price is taken, again and again: what it adds to the sum of squared errors, for what it takes off the
// shortfall of both cells. Merging always takes something off, so that it ends, at the latest with one cell of all. Ties go
// to the lowest cell. Where exchanges mend little each, they could go on for long: after so many looks cells are merged only.
//
// False if it was given up because fewer than `fewest` cells were left. `touched` has those that were changed.
bool mend(MendedCells& cells, std::int64_t looks, Row fewest, std::vector<bool>& touched, Ticker& ticker);

// Exchanges and moves records while that lowers the sum of squared errors and makes no cell fall short. It begins with
// some cells, in order, and goes on with those that change; none is looked at more than so many times.
void descend(MendedCells& cells, const std::vector<bool>& start, std::int32_t visits, Ticker& ticker);

}  // namespace covey
