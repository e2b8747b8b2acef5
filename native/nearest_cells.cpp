#include "nearest_cells.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "lanes.hpp"

namespace covey {

NearestCells::NearestCells(std::span<const double> means, int d, Row scanned, Ticker& ticker)
    : d_(d), alive_(static_cast<Row>(means.size() / static_cast<std::size_t>(d))), ticker_(&ticker),
      means_(means.begin(), means.end()), ended_(static_cast<std::size_t>(alive_)), has_tree_(alive_ > scanned) {
  if (has_tree_) {
    build();
    return;
  }
  const auto count = static_cast<std::size_t>((alive_ + lanes - 1) / lanes);
  blocks_.assign(count * static_cast<std::size_t>((1 + d_) * lanes), 0.0);
  for (auto place = static_cast<std::size_t>(alive_); place < count * lanes; ++place)
    blocks_[place / lanes * static_cast<std::size_t>((1 + d_) * lanes) + place % lanes] = std::numeric_limits<double>::quiet_NaN();
  for (Row cell = 0; cell < alive_; ++cell) put(cell);
}

void NearestCells::put(Row cell) {
  if (has_tree_) return;
  double* block = blocks_.data() + static_cast<std::size_t>(cell / lanes) * static_cast<std::size_t>((1 + d_) * lanes) + cell % lanes;
  block[0] = ended_[static_cast<std::size_t>(cell)] ? std::numeric_limits<double>::quiet_NaN() : 0.0;
  const auto from = mean(cell);
  for (std::size_t j = 0; j < from.size(); ++j) block[(1 + j) * lanes] = from[j];
}

void NearestCells::move(Row cell, std::span<const double> mean) {
  std::copy(mean.begin(), mean.end(), means_.begin() + static_cast<std::ptrdiff_t>(cell) * d_);
  ++changes_;
  put(cell);
}

void NearestCells::remove(Row cell) {
  ended_[static_cast<std::size_t>(cell)] = true;
  --alive_;
  put(cell);
}

const std::vector<Hit>& NearestCells::near(Row cell, int count) {
  Nearest best(count);
  if (!has_tree_ || !around(cell, count, best)) scan(cell, best);
  found_ = best.sorted();
  return found_;
}

void NearestCells::scan(Row cell, Nearest& best) const {
  const double* q = mean(cell).data();
  if (has_tree_) {
    const Space space{means_.data(), static_cast<Row>(ended_.size()), d_, 0};
    for (Row other = 0; other < space.n; ++other)
      if (other != cell && !ended_[static_cast<std::size_t>(other)]) best.offer({space.distance(space.row(other), q), other});
    return;
  }
  double distances[lanes];
  Row first = 0;
  for (const double* block = blocks_.data(); block != blocks_.data() + blocks_.size(); block += (1 + d_) * lanes, first += lanes)
    for (unsigned hits = within(block, q, d_, 0, best.limit(), distances); hits != 0; hits &= hits - 1) {
      const int lane = std::countr_zero(hits);
      if (first + lane != cell) best.offer({distances[lane], first + lane});
    }
}

// False if it does not know enough cells that still are.
bool NearestCells::around(Row cell, int count, Nearest& best) {
  if (changes_ > static_cast<Row>(numbers_.size()) / 8) build();
  Nearest then(3 * count);
  tree_->nearest(mean(cell).data(), then);
  int living = 0;
  for (const Hit& hit : then.sorted()) {
    const Row other = numbers_[static_cast<std::size_t>(hit.row)];
    if (other == cell || ended_[static_cast<std::size_t>(other)]) continue;
    ++living;
    best.offer({space_.distance(mean(other).data(), mean(cell).data()), other});
  }
  return living >= count;
}

void NearestCells::build() {
  changes_ = 0;
  numbers_.clear();
  then_.clear();
  for (Row cell = 0; cell < static_cast<Row>(ended_.size()); ++cell) {
    if (ended_[static_cast<std::size_t>(cell)]) continue;
    numbers_.push_back(cell);
    then_.insert(then_.end(), mean(cell).begin(), mean(cell).end());
  }
  space_ = {then_.data(), static_cast<Row>(numbers_.size()), d_, 0};
  tree_ = std::make_unique<Tree>(space_, true, *ticker_);
}

}  // namespace covey
