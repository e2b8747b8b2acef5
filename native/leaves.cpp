#include "leaves.hpp"

#include <bit>
#include <limits>

namespace covey {
namespace {

constexpr double dead = std::numeric_limits<double>::quiet_NaN();

}  // namespace

Leaves::Leaves(const Space& space)
    : space_(&space), block_size_(covey::block_size(space)), slot_(static_cast<std::size_t>(space.n), -1) {}

void Leaves::clear(std::size_t leaves) {
  blocks_ = {};  // given back first, so that the old and the new are never there together
  blocks_.resize(leaves * block_size_);
  row_at_.assign(leaves * lanes, no_row);
  live_.assign(leaves, 0);
  in_use_ = 0;
  count_ = 0;
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
  count_ += static_cast<Row>(rows.size());
  if (!rows.empty()) ++in_use_;
}

std::size_t Leaves::remove(Row row) {
  const auto slot = static_cast<std::size_t>(slot_[static_cast<std::size_t>(row)]);
  const std::size_t leaf = slot / lanes;
  blocks_[leaf * block_size_ + slot % lanes] = dead;
  slot_[static_cast<std::size_t>(row)] = -1;
  --count_;
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

void Leaves::nearest(std::size_t leaf, const double* q, Nearest& best, Row skip) const {
  alignas(64) double distances[lanes];
  unsigned bits = within(block(leaf), q, space_->numeric, space_->nominal, best.limit(), distances);
  for (; bits != 0; bits &= bits - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(bits));
    const Row row = row_at_[leaf * lanes + lane];
    if (row != skip) best.offer({distances[lane], row});
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

}  // namespace covey
