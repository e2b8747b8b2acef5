// The records nearest to each record, and an order in which near records are near.
#pragma once

#include <span>
#include <vector>

#include "average.hpp"
#include "poll.hpp"
#include "space.hpp"

namespace covey {

// The records such that those near to each other are mostly near in this order, too: halved again and again across
// the column of greatest extent. Time: O(n·d·log n).
std::vector<Row> nearby_order(const Space& space);

// The places in `order` of the `count` records nearest to each record, in that order. Time: n nearest queries.
// Scratch: n·count rows, and that of the index.
class Neighbours {
 public:
  Neighbours(const Records& records, std::span<const Row> order, Row count, Ticker& ticker);

  Row count() const { return count_; }
  std::span<const Row> of(Row x) const {
    return {rows_.data() + static_cast<std::size_t>(x) * static_cast<std::size_t>(count_), static_cast<std::size_t>(count_)};
  }

 private:
  Row count_;
  std::vector<Row> rows_;
};

}  // namespace covey
