// Down to a partition that no single move makes better.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "effort.hpp"
#include "moves.hpp"
#include "neighbours.hpp"
#include "roster.hpp"

namespace covey {

// Record by record, the best of: joining the cell of a neighbour, or changing places with any record there; until none
// lowers the sum. A record is looked at again only when its cell, or one near it, has changed.
// Time a sweep: at most n·neighbours·2k questions. Scratch: a number a record and a cell.
template <class Costs>
class Descent {
 public:
  Descent(Roster& roster, const Costs& costs, const Neighbours& near, Moves<Costs>& moves, Row k)
      : roster_(roster), costs_(costs), near_(near), moves_(moves), k_(k),
        looked_at_(static_cast<std::size_t>(roster.n())), changed_at_(static_cast<std::size_t>(roster.cells())) {}

  void run(Effort& effort) {
    // Rounding could lower the sum by nothing for ever; sweeps are a few dozen at most where it does not.
    constexpr int most_sweeps = 1000;
    std::fill(changed_at_.begin(), changed_at_.end(), ++clock_);
    bool better = true;
    for (int sweep = 0; sweep < most_sweeps && better; ++sweep) {
      better = false;
      for (Row x = 0; x < roster_.n() && !effort.spent(); ++x)
        if (is_new_around(x) && improve(x, effort)) better = true;
    }
  }

 private:
  struct Move {
    double growth;
    Row to, with;
  };

  bool is_new_around(Row x) {
    std::uint64_t latest = changed_at_[static_cast<std::size_t>(roster_.cell(x))];
    for (const Row y : near_.of(x)) latest = std::max(latest, changed_at_[static_cast<std::size_t>(roster_.cell(y))]);
    return latest > looked_at_[static_cast<std::size_t>(x)];
  }

  bool improve(Row x, Effort& effort) {
    looked_at_[static_cast<std::size_t>(x)] = clock_;
    const Move best = best_move(x, effort);
    if (best.to == no_row) return false;
    ++clock_;
    changed_at_[static_cast<std::size_t>(roster_.cell(x))] = clock_;
    changed_at_[static_cast<std::size_t>(best.to)] = clock_;
    if (best.with == no_row)
      moves_.move(x, best.to);
    else
      moves_.swap(x, best.with);
    return true;
  }

  Move best_move(Row x, Effort& effort) {
    const Row from = roster_.cell(x);
    Move best{-1e-12 * moves_.scale(x), no_row, no_row};
    seen_.assign(1, from);
    for (const Row near : near_.of(x)) {
      const Row to = roster_.cell(near);
      if (std::find(seen_.begin(), seen_.end(), to) != seen_.end()) continue;
      seen_.push_back(to);
      if (roster_.size(from) > k_ && roster_.size(to) < roster_.room())
        prefer(best, {costs_.joining(roster_, x, to) - costs_.leaving(roster_, x), to, no_row});
      for (const Row y : roster_.members(to)) prefer(best, {costs_.swapping(roster_, x, y), to, y});
      effort.spend(1 + roster_.size(to));
    }
    return best;
  }

  static void prefer(Move& best, const Move& other) {
    if (other.growth < best.growth) best = other;
  }

  Roster& roster_;
  const Costs& costs_;
  const Neighbours& near_;
  Moves<Costs>& moves_;
  Row k_;
  std::uint64_t clock_ = 0;
  std::vector<std::uint64_t> looked_at_, changed_at_;
  std::vector<Row> seen_;
};

}  // namespace covey
