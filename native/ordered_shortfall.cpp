// The earth mover's distance of values on a line: the area between two distribution functions.
#include <algorithm>

#include "shortfall.hpp"

namespace covey {
namespace {

// A cell's distribution function is constant between its own values. Segment i ends where its value i is, or at the last
// place of all, and there are i values before it. An exchange raises or lowers the function by one record between both
// values: what that adds is summed up from each segment to the end.
class Ordered final : public Shortfall {
 public:
  Ordered(std::vector<Code> codes, double t, Line line) : Shortfall(std::move(codes)), t_(t), line_(std::move(line)) {}

  // The area with no, one more and one less record; then, from each segment on, what an exchange adds where it raises
  // and where it lowers, what a record more adds, and what one less does.
  void prepare(Tally& tally) const override {
    const Row n = tally.size;
    tally.ranks.assign(1, 0);
    for (const Row count : tally.counts) tally.ranks.push_back(tally.ranks.back() + count);
    tally.sums.clear();
    for (const Row size : {n, n + 1, n - 1}) tally.sums.push_back(size > 0 ? areas(tally, size) : 0.0);
    for (const Change change : changes) {
      const std::size_t begin = tally.sums.size(), segments = tally.values.size() + 1;
      tally.sums.resize(begin + segments + 1, 0.0);
      if (n + change.growth == 0) continue;
      for (std::size_t i = segments; i-- > 0;)
        tally.sums[begin + i] = tally.sums[begin + i + 1] + added(change, n, tally.ranks[i], first(tally, i), end(tally, i));
    }
  }

  double whole(const Tally& tally) const override { return unless_rounding(areas(tally, tally.size) - t_); }

  double changed(const Tally& tally, Code out, Code into) const override {
    double total = tally.sums[0];
    if (out == no_code) {
      total = tally.sums[1] + from(tally, plus_one, into);
    } else if (into == no_code) {
      total = tally.sums[2] + from(tally, minus_one, out);
    } else if (into < out) {
      total = total + (from(tally, raised, into) - from(tally, raised, out));
    } else if (out < into) {
      total = total + (from(tally, lowered, out) - from(tally, lowered, into));
    }
    return unless_rounding(total - t_);
  }

 private:
  struct Change {
    Row by, growth;  // of the function, in records; and of the cell
  };
  static constexpr Change changes[] = {{1, 0}, {-1, 0}, {1, 1}, {-1, -1}};
  static constexpr std::size_t raised = 0, lowered = 1, plus_one = 2, minus_one = 3;

  static Code first(const Tally& tally, std::size_t segment) { return segment == 0 ? 0 : tally.values[segment - 1]; }
  Code end(const Tally& tally, std::size_t segment) const {
    return segment < tally.values.size() ? tally.values[segment] : static_cast<Code>(line_.places.size()) - 1;
  }

  // The area between a constant and the whole table's function from one place to another: it crosses once.
  double area(double height, Code begin, Code end) const {
    const auto& [reached, under, places] = line_;
    const auto a = static_cast<std::size_t>(begin), b = static_cast<std::size_t>(end);
    const auto cross = static_cast<std::size_t>(std::lower_bound(reached.begin() + begin, reached.begin() + end, height) - reached.begin());
    const double above = height * (places[cross] - places[a]) - (under[cross] - under[a]);
    const double below = (under[b] - under[cross]) - height * (places[b] - places[cross]);
    return above + below;
  }

  double added(Change change, Row n, Row up_to, Code begin, Code end) const {
    const double size = n + change.growth;
    return area((up_to + change.by) / size, begin, end) - area(up_to / size, begin, end);
  }

  // What a change adds from a value to the end of all.
  double from(const Tally& tally, std::size_t which, Code code) const {
    const auto past = std::upper_bound(tally.values.begin(), tally.values.end(), code);
    const auto segment = static_cast<std::size_t>(past - tally.values.begin());
    const double rest = tally.sums[3 + which * (tally.values.size() + 2) + segment + 1];
    return rest + added(changes[which], tally.size, tally.ranks[segment], code, end(tally, segment));
  }

  double areas(const Tally& tally, Row size) const {
    double sum = 0.0;
    Row up_to = 0;
    for (std::size_t i = 0; i <= tally.values.size(); ++i) {
      sum += area(static_cast<double>(up_to) / size, first(tally, i), end(tally, i));
      if (i < tally.counts.size()) up_to += tally.counts[i];
    }
    return sum;
  }

  double t_;
  Line line_;
};

}  // namespace

std::shared_ptr<const Shortfall> ordered_shortfall(std::vector<Code> codes, double t, Line line) {
  return std::make_shared<Ordered>(std::move(codes), t, std::move(line));
}

}  // namespace covey
