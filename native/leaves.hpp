// The records left, sixteen to a block, and how to look one block over.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "lanes.hpp"
#include "nearest.hpp"
#include "space.hpp"
#include "tied.hpp"

namespace covey {

// Records that are equal in every column share a lane: the lowest row that is left stands for them, and the others
// wait behind it in ascending order. Whatever is asked, ties go to the lowest row, so they are always removed in that
// order. A lane is dead when none is left. Scratch: (1 + d) doubles and a row a lane, two rows a record.
class Leaves {
 public:
  explicit Leaves(const Space& space);

  // Forgets everything; room for this many leaves, all empty.
  void clear(std::size_t leaves);
  // Puts records of different values, each with those that wait behind it, into a leaf.
  void place(std::size_t leaf, std::span<const Row> rows);
  // Of equal records the lowest must be removed first. Returns the leaf whose lane has died, if one has.
  std::optional<std::size_t> remove(Row row);

  bool alive(Row row) const { return slot_[static_cast<std::size_t>(row)] != removed; }
  Row count() const { return count_; }
  std::size_t size() const { return live_.size(); }
  int live(std::size_t leaf) const { return live_[leaf]; }
  // More than half of the lanes of the leaves still in use are dead: time to pack the records anew.
  bool sparse() const { return in_use_ > 64 && lanes_live_ * 2 < in_use_ * lanes; }
  // All that are left, in ascending order.
  std::vector<Row> rows() const;
  // The lowest of those that are equal, in ascending order: what is to be placed.
  std::vector<Row> firsts() const;
  // The same, leaf after leaf, as long as none has been removed.
  std::vector<Row> placed() const;

  const double* block(std::size_t leaf) const { return blocks_.data() + leaf * block_size_; }
  void nearest(std::size_t leaf, const double* q, Nearest& best, Row skip) const;
  // What lanes count is that of the lowest of their records.
  void nearest_tied(std::size_t leaf, const double* q, std::span<const std::int64_t> counts, Tied& best) const;
  void farthest(std::size_t leaf, const double* q, Hit& best) const;
  // The nearest of those in lanes whose tag is another.
  void nearest_of_another(std::size_t leaf, const double* q, std::span<const Row> tags, Row tag, Hit& best) const;
  // The tag that all in the leaf's lanes have, or no_row if there is none.
  Row common_tag(std::size_t leaf, std::span<const Row> tags) const;

 private:
  // Where a record is, if not in a lane.
  static constexpr std::int32_t removed = -1, waiting = -2;

  void queue_equals();

  const Space* space_;
  std::size_t block_size_;
  std::vector<double> blocks_;
  std::vector<Row> row_at_;          // of every lane
  std::vector<std::int32_t> slot_;   // of every row: 16·leaf + lane, `waiting`, or `removed`
  std::vector<Row> behind_;          // of every row: the next one that is equal
  std::vector<std::uint8_t> live_;   // lanes in use, of every leaf
  std::size_t in_use_ = 0;           // leaves with a live lane
  std::size_t lanes_live_ = 0;
  Row count_;
};

}  // namespace covey
