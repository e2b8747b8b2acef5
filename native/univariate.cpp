#include "univariate.hpp"

#include <algorithm>
#include <limits>

#include "double_double.hpp"

namespace covey {
namespace {

constexpr DoubleDouble endless{std::numeric_limits<double>::infinity(), 0.0};

class ShortestPath {
 public:
  ShortestPath(std::span<const double> sorted, std::int64_t k)
      : n_(static_cast<std::int64_t>(sorted.size())), k_(k), sum_(sorted.size() + 1), squares_(sorted.size() + 1),
        cost_(sorted.size() + 1, endless), from_(sorted.size() + 1, 0) {
    // Differences from the middle value keep the sums small, and are exact where it matters.
    const double middle = sorted[sorted.size() / 2];
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const DoubleDouble x = two_sum(sorted[i], -middle);
      sum_[i + 1] = sum_[i] + x;
      squares_[i + 1] = squares_[i] + x * x;
    }
    cost_[0] = {};
  }

  std::vector<std::int64_t> run(Ticker& ticker) {
    // The ends of one block look back only to beginnings before the block, whose costs are known by then.
    for (std::int64_t first = k_; first <= n_; first += k_) {
      const std::int64_t last = std::min(first + k_ - 1, n_);
      settle(first, last, std::max<std::int64_t>(0, first - longest()), last - k_);
      ticker.tick(last);
    }
    std::vector<std::int64_t> begins;
    for (std::int64_t end = n_; end > 0; end = from_[static_cast<std::size_t>(end)])
      begins.push_back(from_[static_cast<std::size_t>(end)]);
    std::reverse(begins.begin(), begins.end());
    return begins;
  }

 private:
  std::int64_t longest() const { return 2 * k_ - 1; }

  // The sum of squared errors of values [begin, end).
  DoubleDouble error(std::int64_t begin, std::int64_t end) const {
    const auto b = static_cast<std::size_t>(begin), e = static_cast<std::size_t>(end);
    const DoubleDouble sum = sum_[e] - sum_[b];
    return (squares_[e] - squares_[b]) - sum * sum / static_cast<double>(end - begin);
  }

  // The costs of the ends first … last, whose best beginnings lie in least … greatest.
  void settle(std::int64_t first, std::int64_t last, std::int64_t least, std::int64_t greatest) {
    if (first > last) return;
    const std::int64_t end = first + (last - first) / 2;
    const std::int64_t begin = best_beginning(end, std::max(least, end - longest()), std::min(greatest, end - k_));
    settle(first, end - 1, least, begin);
    settle(end + 1, last, begin, greatest);
  }

  std::int64_t best_beginning(std::int64_t end, std::int64_t least, std::int64_t greatest) {
    const auto e = static_cast<std::size_t>(end);
    for (std::int64_t begin = least; begin <= greatest; ++begin) {
      const DoubleDouble before = cost_[static_cast<std::size_t>(begin)];
      if (before.high == endless.high) continue;
      const DoubleDouble cost = before + error(begin, end);
      if (cost < cost_[e]) {
        cost_[e] = cost;
        from_[e] = begin;
      }
    }
    return cost_[e].high == endless.high ? least : from_[e];
  }

  std::int64_t n_, k_;
  std::vector<DoubleDouble> sum_, squares_;  // of the first i values
  std::vector<DoubleDouble> cost_;           // of the best partition of the first i values
  std::vector<std::int64_t> from_;           // where its last cell begins
};

}  // namespace

std::vector<std::int64_t> univariate(std::span<const double> sorted, std::int64_t k, Ticker& ticker) {
  return ShortestPath(sorted, k).run(ticker);
}

}  // namespace covey
