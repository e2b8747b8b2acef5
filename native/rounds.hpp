// What MDAV and MD share: cells of a record and its nearest, two in a round.
#pragma once

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "cells.hpp"
#include "nearest.hpp"
#include "pair.hpp"
#include "poll.hpp"

namespace covey {

// The records of a cell, the seed first.
using Members = std::vector<Row>;

// The seed and the `count` − 1 records left that are nearest to it.
template <class Left>
Members nearest_to(const Left& left, const Space& space, Row seed, Row count) {
  Nearest best(count - 1);
  left.nearest(space.row(seed), best, seed);
  Members members{seed};
  for (const Hit& hit : best.sorted()) members.push_back(hit.row);
  return members;
}

// Rounds(left, cells, …).form_two(r) forms the cell of r and that of s, the record farthest from r among
// those left after r's cell is formed. `on_removal(row)` is told of every record that goes into a cell.
template <class Left, class OnRemoval>
class Rounds {
 public:
  Rounds(const Space& space, Left& left, Cells& cells, Row k, bool two_threads, Ticker& ticker, OnRemoval on_removal)
      : space_(space), left_(left), cells_(cells), k_(k), pair_(two_threads), ticker_(ticker),
        on_removal_(std::move(on_removal)) {}

  void form_two(Row r) {
    if (pair_.parallel()) {
      form_two_at_once(r);
    } else {
      form_around(r);
      form_around(farthest_from(r));
    }
    ticker_.tick(space_.n - left_.count());
  }

  void form_around(Row seed) { form(nearest_to(left_, space_, seed, k_)); }

  void form(const Members& members) {
    cells_.form(members);
    for (const Row row : members) {
      left_.remove(row);
      on_removal_(row);
    }
  }

 private:
  Row farthest_from(Row r) const { return left_.farthest(space_.row(r)).row; }

  // Both cells are looked for among all the records left. That of s stands unless it meets that of r,
  // which is rare: s is the record farthest from r.
  void form_two_at_once(Row r) {
    Members cell_r, cell_s;
    pair_.run([&] { cell_r = nearest_to(left_, space_, r, k_); },
              [&] { cell_s = nearest_to(left_, space_, farthest_from(r), k_); });
    form(cell_r);
    if (std::all_of(cell_s.begin(), cell_s.end(), [&](Row row) { return left_.alive(row); }))
      form(cell_s);
    else
      form_around(farthest_from(r));
  }

  const Space& space_;
  Left& left_;
  Cells& cells_;
  Row k_;
  Pair pair_;
  Ticker& ticker_;
  OnRemoval on_removal_;
};

}  // namespace covey
