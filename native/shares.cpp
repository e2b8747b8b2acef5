#include "shares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "double_double.hpp"
#include "nearest.hpp"
#include "search.hpp"

namespace covey {
namespace {

// Neighbours in all that prices may be sought with: 16 bytes each, and about half as many again in reverse.
constexpr std::int64_t most_neighbours = std::int64_t{1} << 25;

// Found by trial on census, tarragona, eia and Gaussian draws: where 50 rounds come closest to what many more reach.
constexpr double first_step = 0.3, momentum = 0.7, most_excess = 3.0;
constexpr int halving = 10;

// Adds up shares, and what they may have lost by rounding.
class Shares {
 public:
  explicit Shares(Row k) : k_(static_cast<std::size_t>(k)) {}

  // The k or more nearest records, or all others; their squared distances are too large by `square`.
  void add(std::span<const Hit> nearest, double square) {
    DoubleDouble share;
    for (std::size_t t = 0; t < std::min(k_, nearest.size()); ++t) {
      // A k-th that seems to cost something can cost less than nothing by the roundings of `square` at most.
      const bool counts = t + 1 < k_ || nearest[t].distance < square;
      magnitude_ += square + (counts ? nearest[t].distance : 0.0);
      if (counts) share = share + two_sum(nearest[t].distance, -square);
    }
    sum_ = sum_ + share;
    shares_.push_back(share.high / (2.0 * static_cast<double>(k_)));
  }

  // A squared distance of d columns is a sum of d squares of rounded differences: it is off by at most d + 2 roundings,
  // and by what underflows. Sums of pairs of doubles lose less than one more, nk sums of magnitudes at most nk/2⁵³.
  ShareBound bound(int d) const {
    const double k = static_cast<double>(k_), n = static_cast<double>(shares_.size());
    const double roundings = std::ldexp((d + 16) * (1.0 + std::ldexp(n * k, -50)), -53);
    const double lost = magnitude_ * roundings + n * (k + 1.0) * std::numeric_limits<double>::min();
    const double total = (sum_ + DoubleDouble{-lost, 0.0}).high / (2.0 * k);
    return {std::max(0.0, total - std::ldexp(total, -50)), shares_};
  }

 private:
  std::size_t k_;
  DoubleDouble sum_;
  double magnitude_ = 0.0;
  std::vector<double> shares_;
};

// Calls visit(i, hits) with the `count` records that are nearest to each; the last column of a query is `last`, if any.
template <class Visit>
void each_nearest(const Space& space, int count, bool priced, std::int64_t done, Ticker& ticker, Visit&& visit) {
  const Records records{space, std::vector<ColumnAverage>(static_cast<std::size_t>(space.d()), {Average::mean, 0})};
  std::vector<double> query(static_cast<std::size_t>(space.d()));
  Ticker building([&](std::int64_t, std::int64_t) { ticker.tick(done); }, space.n);
  with_index(records, Search::automatic, building, [&](auto& index) {
    for (Row i = 0; i < space.n; ++i) {
      std::copy_n(space.row(i), space.d(), query.begin());
      if (priced) query.back() = 0.0;
      Nearest best(count);
      index.nearest(query.data(), best, i);
      visit(i, best.sorted());
      ticker.tick(done + i);
    }
  });
}

// Who may share a cell with whom: the nearest of each record, and those whose nearest it is.
class Neighbours {
 public:
  Neighbours(Row n, std::size_t each) : each_(each), own_(static_cast<std::size_t>(n) * each) {}

  void set(Row i, std::span<const Hit> hits) { std::copy(hits.begin(), hits.end(), own_.begin() + place(i)); }

  void reverse(Row n) {
    begin_.assign(static_cast<std::size_t>(n) + 1, 0);
    each_one_way(n, [&](Row, Hit hit) { ++begin_[static_cast<std::size_t>(hit.row) + 1]; });
    for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
    others_.resize(begin_.back());
    std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
    each_one_way(n, [&](Row i, Hit hit) { others_[next[static_cast<std::size_t>(hit.row)]++] = {hit.distance, i}; });
  }

  std::span<const Hit> own(Row i) const { return std::span(own_).subspan(static_cast<std::size_t>(place(i)), each_); }
  std::span<const Hit> others(Row i) const {
    const auto at = static_cast<std::size_t>(i);
    return std::span(others_).subspan(begin_[at], begin_[at + 1] - begin_[at]);
  }

 private:
  std::ptrdiff_t place(Row i) const { return static_cast<std::ptrdiff_t>(static_cast<std::size_t>(i) * each_); }

  // The neighbours of i that do not have i among theirs.
  template <class Visit>
  void each_one_way(Row n, Visit&& visit) const {
    for (Row i = 0; i < n; ++i)
      for (const Hit hit : own(i))
        if (nearer(own(hit.row).back(), {hit.distance, i})) visit(i, hit);
  }

  std::size_t each_;
  std::vector<Hit> own_;
  std::vector<std::size_t> begin_;
  std::vector<Hit> others_;
};

// Raises the sum of shares over the neighbours by a subgradient method with momentum; steps are in proportion to a
// record's own distances, which may differ a millionfold between records.
class Prices {
 public:
  Prices(const Neighbours& neighbours, Row n, Row k)
      : neighbours_(neighbours), k_(static_cast<std::size_t>(k)), prices_(static_cast<std::size_t>(n), 0.0),
        best_(prices_), moves_(prices_), scales_(prices_), chosen_by_(prices_.size()) {
    for (Row i = 0; i < n; ++i) {
      const auto own = neighbours_.own(i);
      for (std::size_t t = 0; t < std::min(k_, own.size()); ++t)
        scales_[static_cast<std::size_t>(i)] += own[t].distance / static_cast<double>(k);
    }
  }

  const std::vector<double>& raise(int rounds, std::int64_t done, Ticker& ticker) {
    double greatest = -1.0;
    for (int round = 0; round <= rounds; ++round) {
      ticker.tick(done);
      const double sum = choose();
      if (sum > greatest) {
        greatest = sum;
        best_ = prices_;
      }
      move(first_step / (1.0 + static_cast<double>(round) / halving));
    }
    return best_;
  }

 private:
  // Every record chooses the k − 1 that cost it least; returns what they cost.
  double choose() {
    std::fill(chosen_by_.begin(), chosen_by_.end(), 0);
    double sum = 0.0;
    std::vector<Hit> costs;
    for (std::size_t i = 0; i < prices_.size(); ++i) {
      costs.clear();
      for (const auto& list : {neighbours_.own(static_cast<Row>(i)), neighbours_.others(static_cast<Row>(i))})
        for (const Hit hit : list)
          costs.push_back({hit.distance + (prices_[i] - prices_[static_cast<std::size_t>(hit.row)]), hit.row});
      if (costs.size() >= k_) {
        std::nth_element(costs.begin(), costs.begin() + static_cast<std::ptrdiff_t>(k_ - 1), costs.end(), nearer);
        sum += std::min(0.0, costs[k_ - 1].distance);
      }
      for (std::size_t t = 0; t + 1 < k_; ++t) {
        sum += costs[t].distance;
        ++chosen_by_[static_cast<std::size_t>(costs[t].row)];
      }
    }
    return sum;
  }

  void move(double step) {
    const double wanted = static_cast<double>(k_ - 1);
    for (std::size_t i = 0; i < prices_.size(); ++i) {
      const double lack = std::max(-most_excess, (wanted - static_cast<double>(chosen_by_[i])) / wanted);
      moves_[i] = momentum * moves_[i] + lack;
      prices_[i] += step * scales_[i] * moves_[i];
    }
  }

  const Neighbours& neighbours_;
  std::size_t k_;
  std::vector<double> prices_, best_, moves_, scales_;
  std::vector<std::int32_t> chosen_by_;
};

// The records with what they cost less than the dearest as the square of one column more.
std::vector<double> with_prices(const Space& space, const std::vector<double>& prices) {
  const double dearest = *std::max_element(prices.begin(), prices.end());
  const auto d = static_cast<std::size_t>(space.d());
  std::vector<double> values;
  values.reserve(prices.size() * (d + 1));
  for (Row i = 0; i < space.n; ++i) {
    values.insert(values.end(), space.row(i), space.row(i) + d);
    values.push_back(std::sqrt(dearest - prices[static_cast<std::size_t>(i)]));
  }
  return values;
}

ShareBound priced_bound(const Space& space, Row k, const std::vector<double>& prices, Ticker& ticker) {
  const std::vector<double> values = with_prices(space, prices);
  const Space priced{values.data(), space.n, space.numeric + 1, 0};
  Shares shares(k);
  each_nearest(priced, k, true, space.n, ticker, [&](Row i, std::span<const Hit> hits) {
    const double last = priced.row(i)[space.d()];
    shares.add(hits, last * last);
  });
  return shares.bound(priced.d());
}

}  // namespace

ShareBound least_shares(const Space& space, Row k, int rounds, Ticker& ticker) {
  if (k == 1) return {0.0, std::vector<double>(static_cast<std::size_t>(space.n), 0.0)};
  const std::int64_t each = std::min<std::int64_t>(space.n - 1, 2 * std::int64_t{k});
  const bool pricing = rounds > 0 && each * space.n <= most_neighbours;
  Neighbours neighbours(pricing ? space.n : 0, static_cast<std::size_t>(each));
  Shares shares(k);
  each_nearest(space, static_cast<int>(pricing ? each : k), false, 0, ticker, [&](Row i, std::span<const Hit> hits) {
    shares.add(hits, 0.0);
    if (pricing) neighbours.set(i, hits);
  });
  const ShareBound plain = shares.bound(space.d());
  if (!pricing) return plain;
  neighbours.reverse(space.n);
  Prices prices(neighbours, space.n, k);
  const ShareBound priced = priced_bound(space, k, prices.raise(rounds, space.n, ticker), ticker);
  return priced.sum > plain.sum ? priced : plain;
}

}  // namespace covey
