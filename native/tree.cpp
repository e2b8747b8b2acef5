#include "tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "order.hpp"

namespace covey {
namespace {

constexpr double dead = std::numeric_limits<double>::quiet_NaN();

// The queue's keys are sums of as many rounded steps as there are rounds between two builds, each of them rounded by
// 2⁻⁵³ of what has been moved by then: this slack covers 8 million rounds at worst, and far more as roundings fall.
constexpr double slack = 1e-9;

// From this many columns on the bound by distances from the centre earns more than it costs, as benchmarks/ shows.
constexpr int columns_for_centre = 4;

struct Child {
  double bound;
  int lane;
};

// The children whose bit is set, in the order of `before`.
template <class Before>
int ordered_children(unsigned bits, const double* bounds, Child* children, Before before) {
  int count = 0;
  for (; bits != 0; bits &= bits - 1) {
    const int lane = std::countr_zero(bits);
    const Child child{bounds[lane], lane};
    int at = count++;
    for (; at > 0 && before(child.bound, children[at - 1].bound); --at) children[at] = children[at - 1];
    children[at] = child;
  }
  return count;
}

constexpr auto none_skipped = [](const auto&, std::size_t) { return false; };

}  // namespace

Tree::Tree(const Space& space, bool exact_masks, Ticker& ticker)
    : space_(&space), ticker_(&ticker), exact_masks_(exact_masks), group_size_(covey::group_size(space)),
      masks_size_(covey::masks_size(space)), by_centre_(space.numeric >= columns_for_centre),
      sides_(static_cast<std::size_t>(2 * space.numeric + (by_centre_ ? 2 : 0))), leaves_(space) {
  if (by_centre_) find_centre();
  build();
}

// --- building -------------------------------------------------------------------------------------------

void Tree::find_centre() {
  const auto numeric = static_cast<std::size_t>(space_->numeric);
  centre_.assign(numeric, 0.0);
  reach_.assign(numeric, 0.0);
  const double share = 1.0 / std::max(1, space_->n);
  for (Row row = 0; row < space_->n; ++row)
    for (std::size_t j = 0; j < numeric; ++j) centre_[j] += space_->row(row)[j] * share;
  for (Row row = 0; row < space_->n; ++row)
    for (std::size_t j = 0; j < numeric; ++j) reach_[j] = std::max(reach_[j], std::fabs(space_->row(row)[j] - centre_[j]));
}

Tree::Query Tree::query(const double* q) const {
  Query query{{q, space_->numeric, space_->nominal, exact_masks_}, {}};
  if (!by_centre_) return query;
  const auto numeric = static_cast<std::size_t>(space_->numeric);
  query.offset.resize(numeric);
  double norm = 0.0, greatest = 0.0;
  for (std::size_t j = 0; j < numeric; ++j) {
    const double offset = query.offset[j] = q[j] - centre_[j];
    norm += offset * offset;
    greatest += reach_[j] * (reach_[j] + 2.0 * std::fabs(offset));
  }
  Target& target = query.target;
  target.by_centre = true;
  target.centre = centre_.data();
  target.offset = query.offset.data();
  target.norm = norm;
  // With S = norm + greatest, which no |x−q|² exceeds: the d squares of the distance itself, of |x−c|², of |q−c|² and
  // the d products are rounded to less than (2d + 16)·2⁻⁵³·S together, and what underflows is less than d·2⁻¹⁰⁷⁰.
  target.slack = std::ldexp((norm + greatest) * (space_->numeric + 8), -50) + std::numeric_limits<double>::min();
  return query;
}

void Tree::build() {
  std::vector<Row> rows = leaves_.firsts();
  const Shape shape = shape_for(rows.size());
  leaves_.clear(0);  // given back before the splitter asks for its own memory
  levels_.clear();
  const auto begin = order_for_leaves(*space_, shape, rows, *ticker_);

  leaves_.clear(shape.leaves);
  for (std::size_t leaf = 0; leaf < shape.leaves; ++leaf)
    leaves_.place(leaf, std::span(rows).subspan(begin[leaf], begin[leaf + 1] - begin[leaf]));

  for (std::size_t children = shape.leaves; levels_.size() < static_cast<std::size_t>(shape.height);) {
    Level& level = levels_.emplace_back();
    level.groups = (children + lanes - 1) / lanes;
    level.boxes.assign(level.groups * group_size_, dead);
    level.masks.assign(level.groups * masks_size_, 0);
    children = level.groups;
  }
  bound_all();
  queue_.clear();
  drifting_.clear();
}

// --- boxes ----------------------------------------------------------------------------------------------

void Tree::bound_all() {
  for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) bound_leaf(leaf);
  for (std::size_t level = 0; level + 1 < levels_.size(); ++level)
    for (std::size_t group = 0; group < levels_[level].groups; ++group) bound_group(level, group);
}

// Recomputes the box of a leaf; true when it changed.
bool Tree::bound_leaf(std::size_t leaf) {
  const double* values = leaves_.block(leaf);
  double* side = sides_.data();
  for (int j = 0; j < space_->numeric; ++j) {
    const double* column = values + (1 + j) * lanes;
    extent(values, column, column, side[2 * j], side[2 * j + 1]);
  }
  double* norms = side + 2 * space_->numeric;
  if (by_centre_) extent_of_norms(values, centre_.data(), space_->numeric, norms[0], norms[1]);
  std::vector<std::uint64_t> masks(static_cast<std::size_t>(space_->nominal));
  for (int j = 0; j < space_->nominal; ++j)
    for (int l = 0; l < lanes; ++l)
      if (values[l] == 0.0) masks[static_cast<std::size_t>(j)] |= category_bit(values[(1 + space_->numeric + j) * lanes + l]);
  return set_box(0, leaf, sides_, masks, leaves_.live(leaf) > 0);
}

bool Tree::bound_group(std::size_t level, std::size_t group) {
  const double* boxes = levels_[level].boxes.data() + group * group_size_;
  for (std::size_t j = 0; j < sides_.size(); j += 2) {
    const double* low = boxes + (1 + j) * lanes;
    extent(boxes, low, low + lanes, sides_[j], sides_[j + 1]);
  }
  std::vector<std::uint64_t> masks(static_cast<std::size_t>(space_->nominal));
  bool live = false;
  for (int l = 0; l < lanes; ++l) {
    if (boxes[l] != 0.0) continue;
    live = true;
    for (int j = 0; j < space_->nominal; ++j)
      masks[static_cast<std::size_t>(j)] |= levels_[level].masks[group * masks_size_ + static_cast<std::size_t>(j * lanes + l)];
  }
  return set_box(level + 1, group, sides_, masks, live);
}

bool Tree::set_box(std::size_t level, std::size_t child, std::span<const double> sides,
                   std::span<const std::uint64_t> masks, bool live) {
  double* boxes = levels_[level].boxes.data() + child / lanes * group_size_ + child % lanes;
  std::uint64_t* sets = levels_[level].masks.data() + child / lanes * masks_size_ + child % lanes;
  bool changed = false;
  const auto write = [&changed](auto& old, auto now) {
    changed = changed || old != now;
    old = now;
  };
  if ((boxes[0] == 0.0) != live) write(boxes[0], live ? 0.0 : dead);
  for (std::size_t s = 0; s < sides.size(); ++s) write(boxes[(1 + s) * lanes], sides[s]);
  for (std::size_t j = 0; j < masks.size(); ++j) write(sets[j * lanes], masks[j]);
  return changed;
}

void Tree::shrink(std::size_t leaf) {
  bool changed = bound_leaf(leaf);
  for (std::size_t level = 0; changed && level + 1 < levels_.size(); ++level) {
    leaf /= lanes;
    changed = bound_group(level, leaf);
  }
}

// --- removal --------------------------------------------------------------------------------------------

void Tree::remove(Row row) {
  const std::optional<std::size_t> leaf = leaves_.remove(row);
  if (!leaf) return;
  if (leaves_.sparse())
    build();
  else
    shrink(*leaf);
}

// --- nearest --------------------------------------------------------------------------------------------

// Looks at the leaves below a group that may hold records within the limit, nearest boxes first. `limit` may shrink as
// leaves are looked at; children that `skipped` names are left out.
template <class Limit, class Skipped, class Look>
void Tree::look_near(std::size_t level, std::size_t group, const Target& target, const Limit& limit,
                     const Skipped& skipped, const Look& look) const {
  alignas(64) double bounds[lanes];
  Child children[lanes];
  const Level& here = levels_[level];
  const unsigned bits = boxes_within(here.boxes.data() + group * group_size_, here.masks.data() + group * masks_size_,
                                     target, limit(), bounds);
  const int count = ordered_children(bits, bounds, children, std::less<>());
  for (int c = 0; c < count && children[c].bound <= limit(); ++c) {
    const std::size_t child = group * lanes + static_cast<std::size_t>(children[c].lane);
    if (skipped(here, child)) continue;
    if (level == 0)
      look(child);
    else
      look_near(level - 1, child, target, limit, skipped, look);
  }
}

template <class Limit, class Skipped, class Look>
void Tree::look_near(const double* q, const Limit& limit, const Skipped& skipped, const Look& look) const {
  const Query query = this->query(q);
  const std::size_t top = levels_.size() - 1;
  for (std::size_t group = 0; group < levels_[top].groups; ++group) look_near(top, group, query.target, limit, skipped, look);
}

void Tree::nearest(const double* q, Nearest& best, Row skip) const {
  look_near(q, [&] { return best.limit(); }, none_skipped, [&](std::size_t leaf) { leaves_.nearest(leaf, q, best, skip); });
}

Tied Tree::nearest_tied(const double* q, std::span<const std::int64_t> counts) const {
  Tied best;
  look_near(q, [&] { return best.distance; }, none_skipped, [&](std::size_t leaf) { leaves_.nearest_tied(leaf, q, counts, best); });
  return best;
}

// --- farthest -------------------------------------------------------------------------------------------

Hit Tree::farthest(const double* q) const {
  Hit best = no_hit;
  const std::size_t top = levels_.size() - 1;
  const Query query = this->query(q);
  for (std::size_t group = 0; group < levels_[top].groups; ++group) farthest_below(top, group, query.target, best);
  return best;
}

void Tree::farthest_below(std::size_t level, std::size_t group, const Target& target, Hit& best) const {
  alignas(64) double bounds[lanes];
  Child children[lanes];
  const Level& here = levels_[level];
  const unsigned bits = boxes_beyond(here.boxes.data() + group * group_size_, here.masks.data() + group * masks_size_,
                                     target, best.distance, bounds);
  const int count = ordered_children(bits, bounds, children, std::greater<>());
  for (int c = 0; c < count && children[c].bound >= best.distance; ++c) {
    const std::size_t child = group * lanes + static_cast<std::size_t>(children[c].lane);
    if (level == 0)
      leaves_.farthest(child, target.q, best);
    else
      farthest_below(level - 1, child, target, best);
  }
}

// --- nearest of another tag -----------------------------------------------------------------------------

void Tree::tag(std::span<const Row> tags) {
  tags_ = tags;
  levels_[0].tags.resize(leaves_.size());
  for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) levels_[0].tags[leaf] = leaves_.common_tag(leaf, tags);
  for (std::size_t level = 0; level + 1 < levels_.size(); ++level) {
    const std::vector<Row>& below = levels_[level].tags;
    levels_[level + 1].tags.resize(levels_[level].groups);
    for (std::size_t group = 0; group < levels_[level].groups; ++group) {
      const auto first = below.begin() + static_cast<std::ptrdiff_t>(group * lanes);
      const auto last = below.begin() + static_cast<std::ptrdiff_t>(std::min((group + 1) * lanes, below.size()));
      levels_[level + 1].tags[group] = std::all_of(first, last, [&](Row tag) { return tag == *first; }) ? *first : no_row;
    }
  }
}

Hit Tree::nearest_of_another(const double* q, Row tag, double limit) const {
  Hit best{limit, no_hit.row};
  const auto skipped = [&](const Level& level, std::size_t child) { return level.tags[child] == tag; };
  look_near(q, [&] { return best.distance; }, skipped, [&](std::size_t leaf) { leaves_.nearest_of_another(leaf, q, tags_, tag, best); });
  if (best.row == no_hit.row) best.row = no_row;
  return best;
}

// --- farthest from a point that drifts --------------------------------------------------------------------

Hit Tree::farthest_from_drifting(const double* q) {
  const auto d = static_cast<std::size_t>(space_->d());
  if (drifting_.empty()) {
    moved_ = 0.0;
    queue_.clear();
    for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf)
      if (leaves_.live(leaf) > 0) queue_.push_back({std::numeric_limits<double>::infinity(), static_cast<std::int32_t>(leaf)});
  } else {
    moved_ += distance_at_most(space_->distance(q, drifting_.data()));
  }
  drifting_.assign(q, q + d);

  Hit best = no_hit;
  looked_at_.clear();
  double reached = 0.0;
  while (!queue_.empty() && queue_.front().key + moved_ >= reached - slack * (reached + moved_)) {
    std::pop_heap(queue_.begin(), queue_.end());
    const auto leaf = static_cast<std::size_t>(queue_.back().leaf);
    queue_.pop_back();
    if (leaves_.live(leaf) == 0) continue;
    Hit here = no_hit;
    leaves_.farthest(leaf, q, here);
    if (farther(here, best)) best = here;
    reached = std::sqrt(best.distance);
    looked_at_.push_back({distance_at_most(here.distance) - moved_, static_cast<std::int32_t>(leaf)});
  }
  for (const Waiting& waiting : looked_at_) {
    queue_.push_back(waiting);
    std::push_heap(queue_.begin(), queue_.end());
  }
  return best;
}

}  // namespace covey
