#include "flat.hpp"

#include <algorithm>

namespace covey {

Flat::Flat(const Space& space) : leaves_(space) { pack(); }

void Flat::pack() {
  const std::vector<Row> rows = leaves_.firsts();
  leaves_.clear((rows.size() + lanes - 1) / lanes);
  for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf)
    leaves_.place(leaf, std::span(rows).subspan(leaf * lanes, std::min<std::size_t>(lanes, rows.size() - leaf * lanes)));
}

void Flat::remove(Row row) {
  leaves_.remove(row);
  if (leaves_.sparse()) pack();
}

void Flat::nearest(const double* q, Nearest& best, Row skip) const {
  for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) leaves_.nearest(leaf, q, best, skip);
}

Hit Flat::farthest(const double* q) const {
  Hit best = no_hit;
  for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) leaves_.farthest(leaf, q, best);
  return best;
}

}  // namespace covey
