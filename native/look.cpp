#include "look.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "squares.hpp"

namespace covey {
namespace {

constexpr Row most_movers = 64;      // of a large cell, the records nearest to the other one
constexpr double least_gain = 0.1;   // of a shortfall: what an exchange must mend; less takes long, more merges more
constexpr double infinity = std::numeric_limits<double>::infinity();

double dot(const double* a, const double* b, std::size_t d) {
  double sum = 0.0;
  for (std::size_t j = 0; j < d; ++j) sum += a[j] * b[j];
  return sum;
}

}  // namespace

std::optional<Step> Look::best(Row cell, std::span<const Hit> others, Aim aim) {
  if (others.empty()) return std::nullopt;
  cell_ = cell;
  d_ = static_cast<std::size_t>(cells_.space().d());
  own_size_ = cells_.size(cell);
  gather(others);
  if (aim == Aim::merge) return merger();
  const auto step = exchange(aim);
  if (aim == Aim::descend) return step;
  const auto merged = merger();
  return step && step->price() <= merged->price() ? step : merged;
}

void Look::gather(std::span<const Hit> others) {
  others_.clear();
  sums_.clear();
  const auto centre = cells_.mean(cell_);
  for (const Hit& hit : others) {
    const auto size = static_cast<double>(cells_.size(hit.row));
    others_.push_back({hit.row, size, cells_.shortfall(cell_) + cells_.shortfall(hit.row), 0, 0, 0.0, 0.0, 0.0});
    const auto mean = cells_.mean(hit.row);
    for (std::size_t j = 0; j < d_; ++j) sums_.push_back((mean[j] - centre[j]) * size);
  }
}

// The merger of the least price: Ward's growth of the squared errors over what it mends.
std::optional<Step> Look::merger() {
  Best best{infinity, std::nullopt};
  const auto centre = cells_.mean(cell_);
  for (const Other& other : others_) {
    double left = 0.0;
    for (std::size_t i = 0; i < cells_.shortfalls().size(); ++i) {
      unite(cells_.tally(i, cell_), cells_.tally(i, other.cell), both_);
      left += cells_.shortfalls()[i]->whole(both_);
    }
    const double cost = own_size_ * other.size / (own_size_ + other.size) * cells_.space().distance(cells_.mean(other.cell).data(), centre.data());
    const double gain = std::max(other.before - left, 1e-12);
    if (!best.step || cost / gain < best.value) best = {cost / gain, Step{other.cell, no_row, no_row, cost, gain}};
  }
  return best.step;
}

std::optional<Step> Look::exchange(Aim aim) {
  movers(cell_, cells_.mean(others_.front().cell));
  x_ = moving_;
  y_.clear();
  ends_.clear();
  for (const Other& other : others_) {
    movers(other.cell, cells_.mean(cell_));
    y_.insert(y_.end(), moving_.begin(), moving_.end());
    ends_.push_back(y_.size());
  }
  std::optional<Step> best = best_of(true, true, aim);
  const auto prefer = [&](const std::optional<Step>& step) {
    if (step && (!best || (aim == Aim::mend ? step->price() < best->price() : step->cost < best->cost))) best = step;
  };
  if (std::any_of(others_.begin(), others_.end(), [&](const Other& other) { return other.size > cells_.k(); })) prefer(best_of(false, true, aim));
  if (own_size_ > cells_.k()) prefer(best_of(true, false, aim));
  return best;
}

// The records of a cell that may move: of a large one those nearest to a centre.
void Look::movers(Row cell, std::span<const double> centre) {
  const auto members = cells_.members(cell);
  moving_.assign(members.begin(), members.end());
  if (cells_.size(cell) <= most_movers) return;
  by_distance_.clear();
  for (std::size_t i = 0; i < members.size(); ++i)
    by_distance_.push_back({cells_.space().distance(cells_.space().row(members[i]), centre.data()), static_cast<Row>(i)});
  std::partial_sort(by_distance_.begin(), by_distance_.begin() + most_movers, by_distance_.end(), nearer);
  moving_.resize(static_cast<std::size_t>(most_movers));
  for (std::size_t i = 0; i < moving_.size(); ++i) moving_[i] = members[static_cast<std::size_t>(by_distance_[i].row)];
}

// The best of one kind of steps.
std::optional<Step> Look::best_of(bool out, bool into, Aim aim) {
  lay_out(out, into);
  Best best{aim == Aim::mend ? infinity : -least_fall_, std::nullopt};
  moving_.assign(1, no_row);
  for (const Row x : out ? x_ : moving_) {
    line_of(x);
    for (const Other& other : others_)
      for (std::size_t column = other.begin; column < other.end; ++column) {
        // No more can be mended than there is; a little more is allowed for, as this is rounded, too.
        const bool has_chance = aim == Aim::mend ? costs_[column] <= best.value * other.before * (1 + 1e-12) : costs_[column] < best.value;
        if (has_chance) offer(best, x, column, other, aim);
        if (aim == Aim::mend && best.value == 0.0) return best.step;
      }
  }
  return best.step;
}

void Look::lay_out(bool out, bool into) {
  columns_.clear();
  for (std::size_t i = 0; i < others_.size(); ++i) {
    Other& other = others_[i];
    other.begin = columns_.size();
    const auto begin = static_cast<std::ptrdiff_t>(i == 0 ? 0 : ends_[i - 1]), end = static_cast<std::ptrdiff_t>(ends_[i]);
    const bool spares = out || other.size > cells_.k();
    if (into && spares) columns_.insert(columns_.end(), y_.begin() + begin, y_.begin() + end);
    if (!into) columns_.push_back(no_row);
    other.end = columns_.size();
    weigh(other, out, into);
  }
  coordinates_.assign(d_ * columns_.size(), 0.0);
  along_.assign(columns_.size(), 0.0);
  squares_.resize(columns_.size());
  costs_.resize(columns_.size());
  if (!into) return;
  const auto centre = cells_.mean(cell_);
  for (const Other& other : others_)
    for (std::size_t column = other.begin; column < other.end; ++column) {
      const double* y = cells_.space().row(columns_[column]);
      for (std::size_t j = 0; j < d_; ++j) {
        const double coordinate = y[j] - centre[j];
        coordinates_[j * columns_.size() + column] = coordinate;
        along_[column] += sums(other)[j] * coordinate;
      }
    }
}

// About the mean of the cell as the origin, and with u = y − x, the sum of the cell's records becomes u, and that of the
// other's, S, becomes S − u: the errors grow by what the squared sums over the sizes fall by, |S|²/b − |u|²/a' − |S − u|²/b'.
void Look::weigh(Other& other, bool out, bool into) const {
  const double growth = (into ? 1.0 : 0.0) - (out ? 1.0 : 0.0), left = other.size - growth;
  const double total = dot(sums(other), sums(other), d_);
  other.fixed = total / other.size - total / left;
  other.by_along = 2.0 / left;
  other.by_square = 1.0 / (own_size_ + growth) + 1.0 / left;
}

// What each step of a record x costs.
void Look::line_of(Row x) {
  point_.assign(d_, 0.0);
  if (x != no_row)
    for (std::size_t j = 0; j < d_; ++j) point_[j] = cells_.space().row(x)[j] - cells_.mean(cell_)[j];
  squares_from(point_.data(), {coordinates_.data(), d_, columns_.size()}, columns_.size(), squares_.data());
  for (const Other& other : others_) {
    const double along_x = dot(sums(other), point_.data(), d_);
    for (std::size_t i = other.begin; i < other.end; ++i)
      costs_[i] = other.fixed + other.by_along * (along_[i] - along_x) - other.by_square * squares_[i];
  }
}

void Look::offer(Best& best, Row x, std::size_t column, const Other& other, Aim aim) const {
  const Row y = columns_[column];
  const double left = after(x, y, other.cell, aim), cost = costs_[column], gain = other.before - left;
  if (aim == Aim::descend) {
    if (left == 0.0) best = {cost, Step{other.cell, x, y, cost, gain}};
    return;
  }
  if (!(gain > least_gain * other.before) || !std::isfinite(cost)) return;
  const double value = std::max(cost, 0.0) / gain;
  if (value < best.value) best = {value, Step{other.cell, x, y, cost, gain}};
}

// What both cells fall short of after a step; to descend, that they do is enough to know.
double Look::after(Row x, Row y, Row other, Aim aim) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < cells_.shortfalls().size(); ++i) {
    const Shortfall& shortfall = *cells_.shortfalls()[i];
    const Code out = x == no_row ? no_code : shortfall.code(x), into = y == no_row ? no_code : shortfall.code(y);
    sum += shortfall.changed(cells_.tally(i, cell_), out, into);
    if (aim == Aim::descend && sum > 0.0) return sum;
    sum += shortfall.changed(cells_.tally(i, other), into, out);
  }
  return sum;
}

}  // namespace covey
