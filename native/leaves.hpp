// The records left, sixteen to a block, and how to look one block over.
#pragma once

#include <span>
#include <vector>

#include "lanes.hpp"
#include "nearest.hpp"
#include "space.hpp"

namespace covey {

// A record that is removed leaves a dead lane. Scratch: (1 + d) doubles and two rows a lane.
class Leaves {
 public:
  explicit Leaves(const Space& space);

  // Forgets everything; room for this many leaves, all empty.
  void clear(std::size_t leaves);
  void place(std::size_t leaf, std::span<const Row> rows);
  // Returns the leaf that the record was in.
  std::size_t remove(Row row);

  bool alive(Row row) const { return slot_[static_cast<std::size_t>(row)] >= 0; }
  Row count() const { return count_; }
  std::size_t size() const { return live_.size(); }
  int live(std::size_t leaf) const { return live_[leaf]; }
  // More than half of the lanes of the leaves still in use are dead: time to pack the records anew.
  bool sparse() const { return in_use_ > 64 && static_cast<std::size_t>(count_) * 2 < in_use_ * lanes; }
  std::vector<Row> rows() const;

  const double* block(std::size_t leaf) const { return blocks_.data() + leaf * block_size_; }
  void nearest(std::size_t leaf, const double* q, Nearest& best, Row skip) const;
  void farthest(std::size_t leaf, const double* q, Hit& best) const;

 private:
  const Space* space_;
  std::size_t block_size_;
  std::vector<double> blocks_;
  std::vector<Row> row_at_;          // of every lane
  std::vector<std::int32_t> slot_;   // of every row: 16·leaf + lane, or −1
  std::vector<std::uint8_t> live_;   // lanes in use, of every leaf
  std::size_t in_use_ = 0;           // leaves with a live lane
  Row count_ = 0;
};

}  // namespace covey
