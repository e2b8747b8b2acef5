#include "shortfall.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace covey {

Row Tally::of(Code code) const {
  const auto found = std::lower_bound(values.begin(), values.end(), code);
  return found != values.end() && *found == code ? counts[static_cast<std::size_t>(found - values.begin())] : 0;
}

void Shortfall::count(std::span<const Row> members, Tally& tally) const {
  auto& values = tally.values;
  values.clear();
  for (const Row record : members) values.push_back(code(record));
  std::sort(values.begin(), values.end());
  tally.counts.clear();
  for (std::size_t i = 0; i < values.size(); ++i)
    if (i > 0 && values[i] == values[tally.counts.size() - 1]) {
      ++tally.counts.back();
    } else {
      values[tally.counts.size()] = values[i];
      tally.counts.push_back(1);
    }
  values.resize(tally.counts.size());
  tally.size = static_cast<Row>(members.size());
}

void unite(const Tally& a, const Tally& b, Tally& both) {
  both.values.clear();
  both.counts.clear();
  for (std::size_t i = 0, j = 0; i < a.values.size() || j < b.values.size();) {
    const bool of_a = j == b.values.size() || (i < a.values.size() && a.values[i] <= b.values[j]);
    const bool of_b = i == a.values.size() || (j < b.values.size() && b.values[j] <= a.values[i]);
    both.values.push_back(of_a ? a.values[i] : b.values[j]);
    both.counts.push_back((of_a ? a.counts[i] : 0) + (of_b ? b.counts[j] : 0));
    i += of_a ? 1 : 0;
    j += of_b ? 1 : 0;
  }
  both.size = a.size + b.size;
}

namespace {

class Distinct final : public Shortfall {
 public:
  Distinct(std::vector<Code> codes, double p) : Shortfall(std::move(codes)), p_(p) {}

  double whole(const Tally& tally) const override { return lacking(static_cast<double>(tally.values.size())); }

  double changed(const Tally& tally, Code out, Code into) const override {
    auto distinct = static_cast<double>(tally.values.size());
    if (out == into) return lacking(distinct);
    if (into != no_code && tally.of(into) == 0) distinct += 1.0;
    if (out != no_code && tally.of(out) == 1) distinct -= 1.0;
    return lacking(distinct);
  }

 private:
  double lacking(double distinct) const { return std::max(p_ - distinct, 0.0); }
  double p_;
};

class Entropy final : public Shortfall {
 public:
  Entropy(std::vector<Code> codes, double l) : Shortfall(std::move(codes)), bits_(std::log2(l)) {
    for (Row count = 0; count < 1024; ++count) logs_.push_back(std::log2(std::max(count, 1)));
  }

  void prepare(Tally& tally) const override { tally.sums.assign(1, total(tally)); }
  double whole(const Tally& tally) const override { return lacking(total(tally), tally.size); }

  double changed(const Tally& tally, Code out, Code into) const override {
    double after = tally.sums[0];
    if (out != into) {
      if (into != no_code) after = after + gain(tally.of(into), 1);
      if (out != no_code) after = after + gain(tally.of(out), -1);
    }
    return lacking(after, tally.size + growth_of(out, into));
  }

 private:
  double log(Row count) const {
    return static_cast<std::size_t>(count) < logs_.size() ? logs_[static_cast<std::size_t>(count)] : std::log2(count);
  }
  double weighted(Row count) const { return count * log(count); }
  double gain(Row count, Row by) const { return weighted(count + by) - weighted(count); }
  double total(const Tally& tally) const {
    double sum = 0.0;
    for (const Row count : tally.counts) sum += weighted(count);
    return sum;
  }
  double lacking(double total, Row size) const { return unless_rounding(bits_ - (log(size) - total / size)); }

  double bits_;
  std::vector<double> logs_;  // of small counts
};

class Recursive final : public Shortfall {
 public:
  Recursive(std::vector<Code> codes, double c, Row l) : Shortfall(std::move(codes)), c_(c), before_tail_(l - 1) {}

  void prepare(Tally& tally) const override { sort(tally); }

  double whole(const Tally& tally) const override {
    Tally sorted;
    sorted.counts = tally.counts;
    sort(sorted);
    return excess(sorted.ranks[0], tail(sorted), tally.size);
  }

  // Who leaves lowers the last of the frequencies that are as great as that of its value, who comes raises the first:
  // so the order stays, and only their places matter.
  double changed(const Tally& tally, Code out, Code into) const override {
    Row greatest = tally.ranks[0], tail = this->tail(tally);
    const Row left = out != no_code ? tally.of(out) : 0, come = into != no_code ? tally.of(into) : 0;
    const bool both = out != no_code && into != no_code;
    // Else the frequencies are what they were.
    if (!both || (out != into && come != left - 1)) {
      if (out != no_code) shift(as_great(tally, left) - 1, -1, greatest, tail);
      if (into != no_code) shift(greater(tally, come), 1, greatest, tail);
    }
    return excess(greatest, tail, tally.size + growth_of(out, into));
  }

 private:
  static void sort(Tally& tally) {
    tally.ranks = tally.counts;
    std::sort(tally.ranks.begin(), tally.ranks.end(), std::greater<>());
  }
  // Frequencies that are greater than this one, and those that are as great, too.
  static Row greater(const Tally& tally, Row count) {
    const auto& falling = tally.ranks;
    return static_cast<Row>(std::lower_bound(falling.begin(), falling.end(), count, std::greater<>()) - falling.begin());
  }
  static Row as_great(const Tally& tally, Row count) {
    const auto& falling = tally.ranks;
    return static_cast<Row>(std::upper_bound(falling.begin(), falling.end(), count, std::greater<>()) - falling.begin());
  }
  void shift(Row place, Row by, Row& greatest, Row& tail) const {
    if (place == 0) greatest += by;
    if (place >= before_tail_) tail += by;
  }
  // All records but those of the l − 1 most frequent values.
  Row tail(const Tally& tally) const {
    Row sum = 0;
    for (auto i = static_cast<std::size_t>(before_tail_); i < tally.ranks.size(); ++i) sum += tally.ranks[i];
    return sum;
  }
  // By how much r₁ is too great, as a share of the records.
  double excess(Row greatest, Row tail, Row size) const {
    if (tail > 0 && static_cast<double>(greatest) / tail < c_) return 0.0;
    return std::max(greatest - c_ * tail, 0.0) / size + 10 * rounding;
  }

  double c_;
  Row before_tail_;
};

class Equal final : public Shortfall {
 public:
  Equal(std::vector<Code> codes, double t, std::vector<double> shares)
      : Shortfall(std::move(codes)), t_(t), shares_(std::move(shares)) {}

  // The sums of the gaps as the cell is, with one record more, and with one record less.
  void prepare(Tally& tally) const override {
    tally.sums.assign({gaps(tally, tally.size), gaps(tally, tally.size + 1), tally.size > 1 ? gaps(tally, tally.size - 1) : 0.0});
  }
  double whole(const Tally& tally) const override { return beyond(gaps(tally, tally.size)); }

  double changed(const Tally& tally, Code out, Code into) const override {
    const Row growth = growth_of(out, into), size = tally.size + growth;
    double after = tally.sums[growth < 0 ? 2U : static_cast<std::size_t>(growth)];
    if (out != into) {
      if (into != no_code) after = after + change(into, tally.of(into), 1, size);
      if (out != no_code) after = after + change(out, tally.of(out), -1, size);
    }
    return beyond(after);
  }

 private:
  double gap(Code code, Row count, Row size) const {
    return std::abs(static_cast<double>(count) / size - shares_[static_cast<std::size_t>(code)]);
  }
  double change(Code code, Row count, Row by, Row size) const { return gap(code, count + by, size) - gap(code, count, size); }
  // Those of values that do not occur are the shares that these have.
  double gaps(const Tally& tally, Row size) const {
    double sum = 0.0, shares = 0.0;
    for (std::size_t i = 0; i < tally.values.size(); ++i) {
      sum += gap(tally.values[i], tally.counts[i], size);
      shares += shares_[static_cast<std::size_t>(tally.values[i])];
    }
    return sum + std::max(0.0, 1.0 - shares);
  }
  double beyond(double gaps) const { return unless_rounding(gaps / 2 - t_); }

  double t_;
  std::vector<double> shares_;
};

}  // namespace

std::shared_ptr<const Shortfall> distinct_shortfall(std::vector<Code> codes, double p) {
  return std::make_shared<Distinct>(std::move(codes), p);
}
std::shared_ptr<const Shortfall> entropy_shortfall(std::vector<Code> codes, double l) {
  return std::make_shared<Entropy>(std::move(codes), l);
}
std::shared_ptr<const Shortfall> recursive_shortfall(std::vector<Code> codes, double c, Row l) {
  return std::make_shared<Recursive>(std::move(codes), c, l);
}
std::shared_ptr<const Shortfall> equal_shortfall(std::vector<Code> codes, double t, std::vector<double> shares) {
  return std::make_shared<Equal>(std::move(codes), t, std::move(shares));
}

}  // namespace covey
