#include "roster.hpp"

namespace covey {

Roster::Roster(Row n, Row cells, Row room)
    : room_(room), cell_(static_cast<std::size_t>(n), no_row), place_(static_cast<std::size_t>(n), 0),
      size_(static_cast<std::size_t>(cells), 0),
      member_(static_cast<std::size_t>(cells) * static_cast<std::size_t>(room), no_row) {
  free_.reserve(static_cast<std::size_t>(cells));
  for (Row cell = cells; cell-- > 0;) free_.push_back(cell);
}

}  // namespace covey
