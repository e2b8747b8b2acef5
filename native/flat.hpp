// Brute force: every block of the records left is looked over for every question.
#pragma once

#include <vector>

#include "leaves.hpp"

namespace covey {

// The same answers as Tree, for few records or so many columns that boxes exclude nothing.
// Query: O(n·d). Scratch: that of Leaves.
class Flat {
 public:
  explicit Flat(const Space& space);

  void remove(Row row);
  bool alive(Row row) const { return leaves_.alive(row); }
  Row count() const { return leaves_.count(); }
  std::vector<Row> rows() const { return leaves_.rows(); }

  void nearest(const double* q, Nearest& best, Row skip = no_row) const;
  Hit farthest(const double* q) const;
  Hit farthest_from_drifting(const double* q) const { return farthest(q); }

 private:
  void pack();

  Leaves leaves_;
};

}  // namespace covey
