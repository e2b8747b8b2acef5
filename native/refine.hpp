// A partition made better: records move between neighbouring cells while the sum of squared errors falls.
#pragma once

#include <cstdint>
#include <span>

#include "average.hpp"
#include "cells.hpp"
#include "effort.hpp"
#include "poll.hpp"

namespace covey {

// Whether these are labels 0, 1, … of cells of at least k of the n records.
bool is_partition(std::span<const Label> labels, Row n, Row k);

struct Refined {
  std::int64_t steps;  // proposals that were looked at
  bool stopped;        // by a poll that threw Stopped
};

// Labels of cells of at least k records become those of the best partition found, numbered anyhow.
//
// Descent to a partition that no relocation and no swap makes better; then the rounds of schedule.hpp. A round warms the partition up and
// cools it down (relocations, swaps, rotations of three, cells dissolved and seeded, by the rule of Metropolis, at a
// temperature relative to the distances around each record), descends, and keeps what became better, component by
// component of the overlay of the two partitions. With a budget of steps, rounds that do not come to their end change
// nothing, so that more steps go on where fewer left off.
//
// Time: the budget, beside n nearest queries and one descent's remainder. Scratch: about 30 rows and 2d doubles a record.
Refined refine(const Records& records, Row k, Budget budget, std::uint64_t seed, std::span<Label> labels, Ticker& ticker);

}  // namespace covey
