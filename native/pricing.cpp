#include "pricing.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace covey {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double infinity = std::numeric_limits<double>::infinity();

// The least few of many numbers, in ascending order; their number is small.
class Least {
 public:
  void clear(std::size_t count) {
    count_ = count;
    values_.clear();
  }
  void offer(double value) {
    if (values_.size() == count_) {
      if (count_ == 0 || value >= values_.back()) return;
      values_.pop_back();
    }
    values_.insert(std::upper_bound(values_.begin(), values_.end(), value), value);
  }
  std::size_t size() const { return values_.size(); }
  // Of the first few.
  double sum(std::size_t count) const {
    return std::accumulate(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(count), 0.0);
  }

 private:
  std::size_t count_ = 0;
  std::vector<double> values_;
};

// Half of the sums of the 0, 1, … 2k − 3 least squared distances of each record.
class HalfSums {
 public:
  HalfSums(std::size_t records, std::size_t k) : each_(2 * k - 1), sums_(records * each_) {}

  void set(std::size_t record, const Least& least) {
    for (std::size_t t = 0; t < each_; ++t) sums_[record * each_ + t] = t <= least.size() ? least.sum(t) / 2.0 : infinity;
  }
  double operator()(std::size_t record, std::size_t others) const { return sums_[record * each_ + others]; }

 private:
  std::size_t each_;
  std::vector<double> sums_;
};

struct Candidate {
  double bound;  // on the excess of every cell that it joins
  std::size_t record;
};
inline bool before(const Candidate& a, const Candidate& b) {
  return a.bound < b.bound || (a.bound == b.bound && a.record < b.record);
}

struct Cell {
  double excess;
  std::vector<Row> rows;
};

// The cells of least excess of which one record is the first by rank.
class Anchored {
 public:
  Anchored(const Space& space, std::span<const double> prices, const Pricing& how, const HalfSums& half_sums, Ticker& ticker)
      : space_(space), prices_(prices), how_(how), k_(static_cast<std::size_t>(how.k)), half_sums_(half_sums), ticker_(ticker),
        ranks_(prices.size(), 0) {}

  // Those whose cells are soonest looked over come first, so that few records are left to join the others.
  std::vector<Row> rank() {
    std::vector<std::pair<std::size_t, Row>> counts;
    for (anchor_ = 0; anchor_ < space_.n; ++anchor_) {
      clear(0);
      counts.emplace_back(find_candidates().size(), anchor_);
      ticker_.tick(0);
    }
    std::sort(counts.begin(), counts.end());
    std::vector<Row> order;
    for (const auto& [count, row] : counts) {
      ranks_[static_cast<std::size_t>(row)] = static_cast<Row>(order.size()) + 1;
      order.push_back(row);
    }
    return order;
  }

  void search(Row anchor, std::int64_t most_nodes) {
    anchor_ = anchor;
    clear(most_nodes);
    ticker_.tick(searched_++);
    const std::vector<Candidate> order = find_candidates();
    measure(order);
    std::vector<std::size_t> all(order.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    members_.assign(1, anchor);
    visit(1, 0.0, prices_[static_cast<std::size_t>(anchor)], all, to_anchor_, own_half_sums_[0]);
  }

  bool complete() const { return cut_ >= 0.0; }
  double excess() const { return std::min({0.0, cut_, best_.empty() ? 0.0 : best_.front().excess}); }
  const std::vector<Cell>& cells() const { return best_; }

 private:
  void clear(std::int64_t most_nodes) {
    most_nodes_ = most_nodes;
    nodes_ = 0;
    cut_ = infinity;
    best_.clear();
  }

  // Excesses from here on are of no interest.
  double limit() const { return best_.size() < static_cast<std::size_t>(how_.each) ? 0.0 : best_.back().excess; }

  void offer(double excess) {
    if (excess >= limit()) return;
    Cell cell{excess, members_};
    std::sort(cell.rows.begin(), cell.rows.end());
    const auto place = std::upper_bound(best_.begin(), best_.end(), excess, [](double x, const Cell& c) { return x < c.excess; });
    best_.insert(place, std::move(cell));
    if (best_.size() > static_cast<std::size_t>(how_.each)) best_.pop_back();
  }

  // The records whose bound at the root leaves them a chance, the most promising first.
  std::vector<Candidate> find_candidates() {
    const auto n = static_cast<std::size_t>(space_.n);
    from_anchor_.resize(n);
    std::vector<Candidate> order;
    const Row rank = ranks_[static_cast<std::size_t>(anchor_)];
    for (std::size_t j = 0; j < n; ++j) {
      if (static_cast<Row>(j) == anchor_ || ranks_[j] < rank) continue;
      from_anchor_[j] = space_.distance(space_.row(anchor_), space_.row(static_cast<Row>(j)));
      order.push_back({infinity, j});
    }
    bound(1, 0.0, prices_[static_cast<std::size_t>(anchor_)], order, [&](std::size_t j, std::size_t s, std::size_t others) {
      return (from_anchor_[j] + half_sums_(j, others)) / static_cast<double>(s) - prices_[j];
    });
    std::erase_if(order, [&](const Candidate& c) { return c.bound >= limit(); });
    std::sort(order.begin(), order.end(), before);
    const auto most = static_cast<std::size_t>(how_.most_candidates);
    if (order.size() > most) {
      cut_ = order[most].bound;
      order.resize(most);
    }
    return order;
  }

  // The bound of each candidate: of a partial cell of p records, sum W of their pairs, and total price.
  template <class Value>
  void bound(std::size_t p, double pairs, double price, std::vector<Candidate>& candidates, Value&& value) {
    for (std::size_t s = std::max(k_, p + 1); s < 2 * k_ && s - p <= candidates.size(); ++s) {
      const std::size_t q = s - p;
      least_.clear(q);
      values_.resize(candidates.size());
      for (std::size_t c = 0; c < candidates.size(); ++c)
        least_.offer(values_[c] = value(candidates[c].record, s, q - 1));
      const double rest = pairs / static_cast<double>(s) - price + least_.sum(q - 1);
      for (std::size_t c = 0; c < candidates.size(); ++c)
        candidates[c].bound = std::min(candidates[c].bound, rest + values_[c]);
    }
  }

  // Distances among the candidates, which are numbered anew.
  void measure(const std::vector<Candidate>& order) {
    const std::size_t m = order.size();
    rows_.resize(m);
    to_anchor_.resize(m);
    between_.resize(m * m);
    own_half_sums_.assign(2 * k_, HalfSums(m, k_));
    std::vector<Candidate> all(m);
    for (std::size_t a = 0; a < m; ++a) all[a].record = a;
    for (std::size_t a = 0; a < m; ++a) {
      rows_[a] = static_cast<Row>(order[a].record);
      to_anchor_[a] = from_anchor_[order[a].record];
    }
    for (std::size_t a = 0; a < m; ++a)
      for (std::size_t b = 0; b <= a; ++b)
        between_[a * m + b] = between_[b * m + a] = space_.distance(space_.row(rows_[a]), space_.row(rows_[b]));
    sum_halves(all, 2 * k_ - 3, own_half_sums_[0]);
  }

  // A partial cell of p records, with what may still join it.
  void visit(std::size_t p, double pairs, double price, std::span<const std::size_t> joining, std::span<const double> reach,
             const HalfSums& half_sums) {
    if ((++nodes_ & 1023) == 0) ticker_.tick(searched_);
    if (p >= k_) offer(pairs / static_cast<double>(p) - price);
    if (p == 2 * k_ - 1) return;
    std::vector<Candidate> children(joining.size());
    for (std::size_t c = 0; c < joining.size(); ++c) children[c] = {infinity, joining[c]};
    exclude(p, pairs, price, children, reach, half_sums);
    if (children.size() == joining.size() || p + 2 >= 2 * k_ - 1) return descend(p, pairs, price, children, reach, half_sums);
    // Among fewer records the nearest are farther.
    HalfSums& own = own_half_sums_[p];
    sum_halves(children, 2 * k_ - 2 - p, own);
    exclude(p, pairs, price, children, reach, own);
    descend(p, pairs, price, children, reach, own);
  }

  // Leaves those that may join, the most promising first.
  void exclude(std::size_t p, double pairs, double price, std::vector<Candidate>& children, std::span<const double> reach,
               const HalfSums& half_sums) {
    bound(p, pairs, price, children, [&](std::size_t j, std::size_t s, std::size_t others) {
      return (reach[j] + half_sums(j, others)) / static_cast<double>(s) - prices_[static_cast<std::size_t>(rows_[j])];
    });
    std::erase_if(children, [&](const Candidate& c) { return c.bound >= limit(); });
    std::sort(children.begin(), children.end(), before);
  }

  void sum_halves(const std::vector<Candidate>& among, std::size_t most, HalfSums& sums) {
    const std::size_t m = rows_.size();
    for (const Candidate& a : among) {
      least_.clear(most);
      const double* row = between_.data() + a.record * m;
      for (const Candidate& b : among)
        if (a.record != b.record) least_.offer(row[b.record]);
      sums.set(a.record, least_);
    }
  }

  void descend(std::size_t p, double pairs, double price, const std::vector<Candidate>& children, std::span<const double> reach,
               const HalfSums& half_sums) {
    std::vector<std::size_t> later(children.size());
    for (std::size_t c = 0; c < children.size(); ++c) later[c] = children[c].record;
    std::vector<double> longer(reach.size());
    for (std::size_t c = 0; c < children.size() && children[c].bound < limit(); ++c) {
      if (nodes_ >= most_nodes_) {
        cut_ = std::min(cut_, children[c].bound);
        return;
      }
      const std::size_t j = children[c].record;
      const auto left = std::span<const std::size_t>(later).subspan(c + 1);
      const double* row = between_.data() + j * reach.size();
      for (const std::size_t l : left) longer[l] = reach[l] + row[l];
      members_.push_back(rows_[j]);
      visit(p + 1, pairs + reach[j], price + prices_[static_cast<std::size_t>(rows_[j])], left, longer, half_sums);
      members_.pop_back();
    }
  }

  const Space& space_;
  std::span<const double> prices_;
  const Pricing& how_;
  std::size_t k_;
  const HalfSums& half_sums_;
  std::vector<HalfSums> own_half_sums_;  // for partial cells of each size
  Ticker& ticker_;
  std::vector<Row> ranks_;  // all 0 until they are known
  Row anchor_ = 0;
  std::int64_t searched_ = 0, nodes_ = 0, most_nodes_ = 0;
  double cut_ = infinity;  // the least bound of what was not looked at
  std::vector<double> from_anchor_, to_anchor_, between_, values_;
  std::vector<Row> rows_, members_;
  std::vector<Cell> best_;
  Least least_;
};

HalfSums half_sums(const Space& space, std::size_t k, Ticker& ticker) {
  const auto n = static_cast<std::size_t>(space.n);
  HalfSums sums(n, k);
  Least least;
  for (Row i = 0; i < space.n; ++i) {
    least.clear(2 * k - 3);
    for (Row j = 0; j < space.n; ++j)
      if (i != j) least.offer(space.distance(space.row(i), space.row(j)));
    sums.set(static_cast<std::size_t>(i), least);
    ticker.tick(0);
  }
  return sums;
}

void keep(const std::vector<Cell>& cells, PricedCells& found) {
  for (const Cell& cell : cells) {
    found.rows.insert(found.rows.end(), cell.rows.begin(), cell.rows.end());
    found.begins.push_back(static_cast<std::int64_t>(found.rows.size()));
  }
}

}  // namespace

PricedCells price_cells(const Space& space, std::span<const double> prices, const Pricing& how, Ticker& ticker) {
  const auto end = Clock::now() + std::chrono::duration<double>(how.seconds);
  const HalfSums sums = half_sums(space, static_cast<std::size_t>(how.k), ticker);
  Anchored anchored(space, prices, how, sums, ticker);
  PricedCells found;
  found.begins.push_back(0);
  for (const Row anchor : anchored.rank()) {
    anchored.search(anchor, Clock::now() < end ? how.most_nodes : 1);
    found.excesses.push_back(anchored.excess());
    found.complete = found.complete && anchored.complete();
    keep(anchored.cells(), found);
  }
  return found;
}

}  // namespace covey
