// The moves of a search: what each would do to the sum of squared errors, and how it is made.
#pragma once

#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "chance.hpp"
#include "neighbours.hpp"
#include "roster.hpp"

namespace covey {

// A partition into cells of k … `room` records, under moves that keep it one. Each move is proposed around a record and one
// of its neighbours, and made or not by the rule of Metropolis. `Costs` is Means or Mixed.
template <class Costs>
class Moves {
 public:
  Moves(Roster& roster, Costs& costs, const Neighbours& near, Row k, std::uint64_t seed)
      : roster_(roster), costs_(costs), near_(near), k_(k), random_(seed) {}

  // One random proposal for x. Returns the steps it took.
  int propose(Row x, double temperature) {
    const std::uint64_t bits = random_.bits();
    const Row from = roster_.cell(x), to = roster_.cell(near_.of(x)[static_cast<std::size_t>(one_of(near_.count(), bits >> 32U))]);
    if (from == to) return 1;
    const auto choice = static_cast<int>((bits >> 24U) & 255U);
    const bool spare = roster_.size(from) > k_;
    if (choice < resizings) return spare ? seed(x, temperature) : dissolve(from, temperature);
    if (spare && roster_.size(to) < roster_.room() && choice < 128) return relocate(x, to, temperature, bits);
    const std::uint64_t more = random_.bits();
    const Row y = roster_.member(to, one_of(roster_.size(to), more));
    if ((more >> 62U) == 0) return rotate(x, y, temperature, more, bits);
    return swap(x, y, temperature, bits);
  }

  void move(Row x, Row to) {
    leave(x);
    join(x, to);
  }
  void swap(Row x, Row y) {
    const Row a = roster_.cell(x), b = roster_.cell(y);
    roster_.swap(x, y);
    costs_.replaced(roster_, a, x, y);
    costs_.replaced(roster_, b, y, x);
  }
  void join(Row x, Row cell) {
    roster_.join(x, cell);
    costs_.joined(roster_, x, cell);
  }
  void leave(Row x) {
    const Row cell = roster_.cell(x);
    roster_.leave(x);
    costs_.left(roster_, x, cell);
  }
  // Of each record, by which temperatures are multiplied: the scale of the distances around it. They stay the caller's.
  void scale(std::span<const double> scales) { scales_ = scales; }
  double scale(Row x) const { return scales_[static_cast<std::size_t>(x)]; }

 private:
  // Of 256 proposals, those that make or unmake a cell. More of them, or fewer, do worse on the data sets of
  // benchmarks/bench_refine.py.
  static constexpr int resizings = 8;

  struct Undo {
    Row x, from;
  };

  bool accepts(double growth, double temperature, std::uint64_t bits) const {
    return metropolis_.accepts(growth, temperature, bits);
  }
  double at(double temperature, Row x) const { return temperature * scales_[static_cast<std::size_t>(x)]; }
  double at(double temperature, Row x, Row y) const {
    return temperature * std::sqrt(scales_[static_cast<std::size_t>(x)] * scales_[static_cast<std::size_t>(y)]);
  }

  int relocate(Row x, Row to, double temperature, std::uint64_t bits) {
    const double growth = costs_.joining(roster_, x, to) - costs_.leaving(roster_, x);
    if (accepts(growth, at(temperature, x), bits)) move(x, to);
    return 1;
  }

  int swap(Row x, Row y, double temperature, std::uint64_t bits) {
    if (accepts(costs_.swapping(roster_, x, y), at(temperature, x, y), bits)) swap(x, y);
    return 1;
  }

  // x takes the place of y, y that of z in a third cell, and z that of x.
  int rotate(Row x, Row y, double temperature, std::uint64_t more, std::uint64_t bits) {
    const Row third = roster_.cell(near_.of(y)[static_cast<std::size_t>(one_of(near_.count(), more >> 30U))]);
    const Row a = roster_.cell(x), b = roster_.cell(y);
    if (third == a || third == b) return 1;
    const Row z = roster_.member(third, one_of(roster_.size(third), random_.bits()));
    const double growth = costs_.replacing(roster_, x, z) + costs_.replacing(roster_, y, x) + costs_.replacing(roster_, z, y);
    if (accepts(growth, at(temperature, x, y), bits)) {
      roster_.swap(x, y);
      roster_.swap(y, z);
      costs_.replaced(roster_, a, x, z);
      costs_.replaced(roster_, b, y, x);
      costs_.replaced(roster_, third, z, y);
    }
    return 2;
  }

  // Every record of a cell joins the cell near it that has room and where it costs least.
  int dissolve(Row cell, double temperature) {
    const auto members = roster_.members(cell);
    leaving_.assign(members.begin(), members.end());
    double growth = 0.0;
    for (const Row x : leaving_) {
      const auto [to, cost] = cheapest(x, cell);
      if (to == no_row) return undo();
      growth += cost - costs_.leaving(roster_, x);
      move_for_now(x, to);
    }
    return settle(growth, at(temperature, leaving_.front()));
  }

  std::pair<Row, double> cheapest(Row x, Row but) const {
    Row best = no_row;
    double least = 0.0;
    for (const Row y : near_.of(x)) {
      const Row cell = roster_.cell(y);
      if (cell == but || cell == best || roster_.size(cell) >= roster_.room()) continue;
      const double cost = costs_.joining(roster_, x, cell);
      if (best == no_row || cost < least) {
        best = cell;
        least = cost;
      }
    }
    return {best, least};
  }

  // A new cell of x and the records near it, or near those, that their cells can spare.
  int seed(Row x, double temperature) {
    if (!roster_.any_free()) return 1;
    const Row cell = roster_.free_cell();
    double growth = -costs_.leaving(roster_, x);
    move_for_now(x, cell);
    for (Row place = 0; place < roster_.size(cell) && roster_.size(cell) < k_; ++place)
      for (const Row y : near_.of(roster_.member(cell, place))) {
        if (roster_.size(cell) == k_) break;
        if (roster_.cell(y) == cell || roster_.size(roster_.cell(y)) <= k_) continue;
        growth += costs_.joining(roster_, y, cell) - costs_.leaving(roster_, y);
        move_for_now(y, cell);
      }
    return roster_.size(cell) < k_ ? undo() : settle(growth, at(temperature, x));
  }

  void move_for_now(Row x, Row to) {
    journal_.push_back({x, roster_.cell(x)});
    move(x, to);
  }

  int settle(double growth, double temperature) {
    if (!accepts(growth, temperature, random_.bits())) return undo();
    const auto steps = static_cast<int>(journal_.size());
    journal_.clear();
    return 4 * steps;
  }

  // Returns the steps that it all took: a move of either kind is about four single proposals.
  int undo() {
    const auto steps = static_cast<int>(journal_.size());
    for (; !journal_.empty(); journal_.pop_back()) move(journal_.back().x, journal_.back().from);
    return 4 * steps + 1;
  }

  Roster& roster_;
  Costs& costs_;
  const Neighbours& near_;
  Row k_;
  Random random_;
  Metropolis metropolis_;
  std::span<const double> scales_;
  std::vector<Row> leaving_;
  std::vector<Undo> journal_;
};

}  // namespace covey
