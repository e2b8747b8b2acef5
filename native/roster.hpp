// Who is in which cell, while records move.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "space.hpp"

namespace covey {

// Cells of at most `room` records, numbered 0 … cells − 1; those without a record are free. A move takes O(1).
// Scratch: 2 rows a record, and `room` + 2 rows a cell.
class Roster {
 public:
  Roster(Row n, Row cells, Row room);

  Row n() const { return static_cast<Row>(cell_.size()); }
  Row cells() const { return static_cast<Row>(size_.size()); }
  Row room() const { return room_; }

  Row cell(Row x) const { return cell_[static_cast<std::size_t>(x)]; }
  Row size(Row cell) const { return size_[static_cast<std::size_t>(cell)]; }
  Row member(Row cell, Row place) const { return member_[at(cell, place)]; }
  // In an order that depends on all that has happened.
  std::span<const Row> members(Row cell) const {
    return {member_.data() + at(cell, 0), static_cast<std::size_t>(size(cell))};
  }

  bool any_free() const { return !free_.empty(); }
  // The free cell that is taken next: the one that became free last.
  Row free_cell() const { return free_.back(); }

  // x, which is in no cell, joins this one, which has room; of the free cells only the next may be joined.
  void join(Row x, Row cell);
  void leave(Row x);
  // Two records of different cells change places.
  void swap(Row x, Row y);

 private:
  std::size_t at(Row cell, Row place) const {
    return static_cast<std::size_t>(cell) * static_cast<std::size_t>(room_) + static_cast<std::size_t>(place);
  }
  void put(Row x, Row cell, Row place) {
    cell_[static_cast<std::size_t>(x)] = cell;
    place_[static_cast<std::size_t>(x)] = place;
    member_[at(cell, place)] = x;
  }

  Row room_;
  std::vector<Row> cell_, place_;
  std::vector<Row> size_, member_, free_;
};

inline void Roster::join(Row x, Row cell) {
  Row& size = size_[static_cast<std::size_t>(cell)];
  if (size == 0) free_.pop_back();
  put(x, cell, size++);
}

inline void Roster::leave(Row x) {
  const Row from = cell(x);
  const Row last = --size_[static_cast<std::size_t>(from)];
  put(member(from, last), from, place_[static_cast<std::size_t>(x)]);
  cell_[static_cast<std::size_t>(x)] = no_row;
  if (last == 0) free_.push_back(from);
}

inline void Roster::swap(Row x, Row y) {
  const Row from = cell(x), place = place_[static_cast<std::size_t>(x)];
  put(x, cell(y), place_[static_cast<std::size_t>(y)]);
  put(y, from, place);
}

}  // namespace covey
