// A k-d tree with deletions: exact nearest, farthest, and farthest-from-a-drifting-point queries.
#pragma once

#include <span>
#include <vector>

#include "leaves.hpp"
#include "poll.hpp"
#include "tied.hpp"

namespace covey {

// Leaves are blocks of 16 records; every 16 leaves form a group, every 16 groups a group above, up to at
// most 64 children at the top. There are no pointers: child c of group g is number 16g + c below.
// A record that is removed leaves a dead lane, and the boxes above it shrink. When more than half of the
// lanes of the leaves still in use are dead, the tree is built anew from the records left. In many columns a
// box is bounded by its records' distances from the centre of the data, too.
//
// Build: O(n log n). Query: O(log n) in few dimensions, O(n) at worst. Scratch: about (1 + 1/d)·n·d
// doubles for the blocks, 8n bytes for positions, 1/8 of the blocks for boxes; as much again while building.
class Tree {
 public:
  // `exact_masks`: no nominal column has more than 64 categories.
  Tree(const Space& space, bool exact_masks, Ticker& ticker);

  void remove(Row row);
  bool alive(Row row) const { return leaves_.alive(row); }
  Row count() const { return leaves_.count(); }
  std::vector<Row> rows() const { return leaves_.rows(); }

  // The nearest live records to q, as many as `best` asks for, leaving out `skip`.
  void nearest(const double* q, Nearest& best, Row skip = no_row) const;
  // The least distance of a live record from q, and what those at just that distance count together.
  Tied nearest_tied(const double* q, std::span<const std::int64_t> counts) const;
  // The live record farthest from q.
  Hit farthest(const double* q) const;
  // The same for a point that moves little from call to call: leaves wait in a queue under the distance
  // they had when last looked at, less how far the point had moved by then.
  Hit farthest_from_drifting(const double* q);

  // One of every set of equal records, the lowest, in the order of the leaves.
  std::vector<Row> placed() const { return leaves_.placed(); }
  // From now on every record has a tag: tags[row], not negative. Equal records have the same, and none is removed.
  void tag(std::span<const Row> tags);
  // The nearest record of another tag than this, at a squared distance of at most `limit`; no_row if there is none.
  Hit nearest_of_another(const double* q, Row tag, double limit) const;

 private:
  struct Level {
    std::vector<double> boxes;          // groups, one after another
    std::vector<std::uint64_t> masks;   // of the nominal columns
    std::vector<Row> tags;              // that all records of a box have, or no_row
    std::size_t groups = 0;
  };
  struct Waiting {
    double key;
    std::int32_t leaf;
    bool operator<(const Waiting& other) const { return key < other.key; }
  };

  // The target of a query, with room for its offset.
  struct Query {
    Target target;
    std::vector<double> offset;
  };

  void find_centre();
  Query query(const double* q) const;
  void build();
  void bound_all();
  bool bound_leaf(std::size_t leaf);
  bool bound_group(std::size_t level, std::size_t group);
  bool set_box(std::size_t level, std::size_t child, std::span<const double> sides, std::span<const std::uint64_t> masks,
               bool live);
  void shrink(std::size_t leaf);

  template <class Limit, class Skipped, class Look>
  void look_near(const double* q, const Limit& limit, const Skipped& skipped, const Look& look) const;
  template <class Limit, class Skipped, class Look>
  void look_near(std::size_t level, std::size_t group, const Target& target, const Limit& limit, const Skipped& skipped,
                 const Look& look) const;
  void farthest_below(std::size_t level, std::size_t group, const Target& target, Hit& best) const;

  const Space* space_;
  Ticker* ticker_;
  bool exact_masks_;
  std::size_t group_size_, masks_size_;
  bool by_centre_;
  std::vector<double> centre_;       // the mean of the numeric columns, about
  std::vector<double> reach_;        // the greatest distance from it, in each column
  std::vector<double> sides_;        // of one box, while it is being bounded
  Leaves leaves_;
  std::vector<Level> levels_;        // level 0: boxes of the leaves
  std::span<const Row> tags_;

  std::vector<Waiting> queue_;
  std::vector<Waiting> looked_at_;
  std::vector<double> drifting_;     // where the drifting point was
  double moved_ = 0.0;               // how far it has moved since the queue was made
};

}  // namespace covey
