#include "univariate.hpp"

#include <algorithm>
#include <limits>

#include "double_double.hpp"

namespace covey {
namespace {

constexpr DoubleDouble endless{std::numeric_limits<double>::infinity(), 0.0};

// The sum, and the sum of squares, of differences from one value.
struct Moments {
  DoubleDouble sum, squares;
};

// The errors of the cells [begin, end) that hold the value at one place, the anchor: begin ≤ anchor < end. Differences
// from a value that the cell holds are no larger than the cell is wide, so nothing is lost to what lies far away.
class Anchored {
 public:
  // Cells begin at most k − 1 values before the anchor, and end at most 2k − 1 after it.
  void move_to(std::span<const double> sorted, std::int64_t anchor, std::int64_t k) {
    anchor_ = anchor;
    const auto at = static_cast<std::size_t>(anchor), reach = static_cast<std::size_t>(k);
    const double value = sorted[at];
    before_.assign(1, {});
    for (std::size_t i = at; i-- > (at >= reach ? at - reach + 1 : 0);) extend(before_, sorted[i], value);
    after_.assign(1, {});
    for (std::size_t i = at; i < std::min(at + 2 * reach - 1, sorted.size()); ++i) extend(after_, sorted[i], value);
  }

  DoubleDouble error(std::int64_t begin, std::int64_t end) const {
    const Moments& before = before_[static_cast<std::size_t>(anchor_ - begin)];
    const Moments& after = after_[static_cast<std::size_t>(end - anchor_)];
    const DoubleDouble sum = before.sum + after.sum;
    return (before.squares + after.squares) - sum * sum / static_cast<double>(end - begin);
  }

 private:
  static void extend(std::vector<Moments>& run, double value, double from) {
    const DoubleDouble x = two_sum(value, -from);
    const Moments last = run.back();
    run.push_back({last.sum + x, last.squares + x * x});
  }

  std::int64_t anchor_ = 0;
  std::vector<Moments> before_;  // of the i values before the anchor
  std::vector<Moments> after_;   // of the i values from the anchor on
};

class ShortestPath {
 public:
  ShortestPath(std::span<const double> sorted, std::int64_t k)
      : sorted_(sorted), n_(static_cast<std::int64_t>(sorted.size())), k_(k), cost_(sorted.size() + 1, endless),
        from_(sorted.size() + 1, 0) {
    cost_[0] = {};
  }

  std::vector<std::int64_t> run(Ticker& ticker) {
    // The ends of one block look back only to beginnings before the block, whose costs are known by then. Every one
    // of their cells holds the first value of this block, or that of the block before.
    later_.move_to(sorted_, 0, k_);
    for (first_ = k_; first_ <= n_; first_ += k_) {
      std::swap(earlier_, later_);
      if (first_ < n_) later_.move_to(sorted_, first_, k_);
      const std::int64_t last = std::min(first_ + k_ - 1, n_);
      settle(first_, last, std::max<std::int64_t>(0, first_ - longest()), last - k_);
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
    return (begin <= first_ - k_ ? earlier_ : later_).error(begin, end);
  }

  // The costs of the ends first … last, whose best beginnings lie in least … greatest.
  void settle(std::int64_t first, std::int64_t last, std::int64_t least, std::int64_t greatest) {
    if (first > last) return;
    const std::int64_t end = first + (last - first) / 2;
    const std::int64_t begin = best_beginning(end, std::max(least, end - longest()), std::min(greatest, end - k_));
    settle(first, end - 1, least, begin);
    settle(end + 1, last, begin, greatest);
  }

  // There is one: of the beginnings that leave a cell of k … 2k−1 values, 0 or that of k values can be reached.
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
    return from_[e];
  }

  std::span<const double> sorted_;
  std::int64_t n_, k_;
  std::int64_t first_ = 0;          // of the block of ends that is being settled
  Anchored earlier_, later_;        // at the first values of the block before and of this block
  std::vector<DoubleDouble> cost_;  // of the best partition of the first i values
  std::vector<std::int64_t> from_;  // where its last cell begins
};

}  // namespace

std::vector<std::int64_t> univariate(std::span<const double> sorted, std::int64_t k, Ticker& ticker) {
  return ShortestPath(sorted, k).run(ticker);
}

}  // namespace covey
