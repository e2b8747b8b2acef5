#include "leaves.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <limits>
#include <utility>

namespace covey {
namespace {

constexpr double dead = std::numeric_limits<double>::quiet_NaN();

// Spreads the bits of a word over all its bits. Reference: S. Vigna's SplitMix64.
std::uint64_t mix(std::uint64_t bits) {
  bits += 0x9e3779b97f4a7c15U;
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
  return bits ^ (bits >> 31U);
}

}  // namespace

Leaves::Leaves(const Space& space)
    : space_(&space), block_size_(covey::block_size(space)), slot_(static_cast<std::size_t>(space.n), 0),
      behind_(static_cast<std::size_t>(space.n), no_row), count_(space.n) {
  queue_equals();
}

// Finds equal records in a hash table of open addressing. From the last row to the first, so that each queue is in
// ascending order.
void Leaves::queue_equals() {
  const auto d = static_cast<std::size_t>(space_->d());
  const std::size_t mask = std::bit_ceil(static_cast<std::size_t>(space_->n) * 2) - 1;
  std::vector<Row> table(mask + 1, no_row);
  for (Row row = space_->n - 1; row >= 0; --row) {
    const double* record = space_->row(row);
    std::uint64_t hash = 0;
    for (std::size_t j = 0; j < d; ++j) hash = mix(hash ^ std::bit_cast<std::uint64_t>(record[j]));
    std::size_t place = hash & mask;
    while (table[place] != no_row && !std::equal(record, record + d, space_->row(table[place]))) place = (place + 1) & mask;
    if (table[place] != no_row) {
      behind_[static_cast<std::size_t>(row)] = table[place];
      slot_[static_cast<std::size_t>(table[place])] = waiting;
    }
    table[place] = row;
  }
}

void Leaves::clear(std::size_t leaves) {
  blocks_ = {};  // given back first, so that the old and the new are never there together
  blocks_.resize(leaves * block_size_);
  row_at_.assign(leaves * lanes, no_row);
  live_.assign(leaves, 0);
  in_use_ = 0;
  lanes_live_ = 0;
}

void Leaves::place(std::size_t leaf, std::span<const Row> rows) {
  double* values = blocks_.data() + leaf * block_size_;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const bool live = lane < rows.size();
    values[lane] = live ? 0.0 : dead;
    if (live) {
      row_at_[leaf * lanes + lane] = rows[lane];
      slot_[static_cast<std::size_t>(rows[lane])] = static_cast<std::int32_t>(leaf * lanes + lane);
    }
    for (int j = 0; j < space_->d(); ++j)
      values[static_cast<std::size_t>(1 + j) * lanes + lane] = live ? space_->row(rows[lane])[j] : 0.0;
  }
  live_[leaf] = static_cast<std::uint8_t>(rows.size());
  lanes_live_ += rows.size();
  if (!rows.empty()) ++in_use_;
}

std::optional<std::size_t> Leaves::remove(Row row) {
  const std::int32_t slot = std::exchange(slot_[static_cast<std::size_t>(row)], removed);
  const Row next = behind_[static_cast<std::size_t>(row)];
  --count_;
  if (next != no_row) {
    row_at_[static_cast<std::size_t>(slot)] = next;
    slot_[static_cast<std::size_t>(next)] = slot;
    return std::nullopt;
  }
  const std::size_t leaf = static_cast<std::size_t>(slot) / lanes;
  blocks_[leaf * block_size_ + static_cast<std::size_t>(slot) % lanes] = dead;
  --lanes_live_;
  if (--live_[leaf] == 0) --in_use_;
  return leaf;
}

std::vector<Row> Leaves::rows() const {
  std::vector<Row> rows;
  rows.reserve(static_cast<std::size_t>(count_));
  for (Row row = 0; row < space_->n; ++row)
    if (alive(row)) rows.push_back(row);
  return rows;
}

std::vector<Row> Leaves::firsts() const {
  std::vector<Row> rows;
  for (Row row = 0; row < space_->n; ++row)
    if (slot_[static_cast<std::size_t>(row)] >= 0) rows.push_back(row);
  return rows;
}

std::vector<Row> Leaves::placed() const {
  std::vector<Row> rows;
  std::copy_if(row_at_.begin(), row_at_.end(), std::back_inserter(rows), [](Row row) { return row != no_row; });
  return rows;
}

void Leaves::nearest(std::size_t leaf, const double* q, Nearest& best, Row skip) const {
  alignas(64) double distances[lanes];
  unsigned bits = within(block(leaf), q, space_->numeric, space_->nominal, best.limit(), distances);
  for (; bits != 0; bits &= bits - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(bits));
    for (Row row = row_at_[leaf * lanes + lane]; row != no_row; row = behind_[static_cast<std::size_t>(row)])
      if (row != skip && !best.offer({distances[lane], row})) break;
  }
}

void Leaves::farthest(std::size_t leaf, const double* q, Hit& best) const {
  alignas(64) double distances[lanes];
  unsigned bits = beyond(block(leaf), q, space_->numeric, space_->nominal, best.distance, distances);
  for (; bits != 0; bits &= bits - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(bits));
    const Hit hit{distances[lane], row_at_[leaf * lanes + lane]};
    if (farther(hit, best)) best = hit;
  }
}

void Leaves::nearest_tied(std::size_t leaf, const double* q, std::span<const std::int64_t> counts, Tied& best) const {
  alignas(64) double distances[lanes];
  unsigned bits = within(block(leaf), q, space_->numeric, space_->nominal, best.distance, distances);
  for (; bits != 0; bits &= bits - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(bits));
    best.offer(distances[lane], counts[static_cast<std::size_t>(row_at_[leaf * lanes + lane])]);
  }
}

void Leaves::nearest_of_another(std::size_t leaf, const double* q, std::span<const Row> tags, Row tag, Hit& best) const {
  alignas(64) double distances[lanes];
  unsigned bits = within(block(leaf), q, space_->numeric, space_->nominal, best.distance, distances);
  for (; bits != 0; bits &= bits - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(bits));
    const Hit hit{distances[lane], row_at_[leaf * lanes + lane]};
    if (tags[static_cast<std::size_t>(hit.row)] != tag && nearer(hit, best)) best = hit;
  }
}

Row Leaves::common_tag(std::size_t leaf, std::span<const Row> tags) const {
  Row common = no_row;
  for (std::size_t slot = leaf * lanes; slot < (leaf + 1) * lanes && row_at_[slot] != no_row; ++slot) {
    const Row tag = tags[static_cast<std::size_t>(row_at_[slot])];
    if (slot > leaf * lanes && tag != common) return no_row;
    common = tag;
  }
  return common;
}

}  // namespace covey
