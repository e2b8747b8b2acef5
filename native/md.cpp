#include "md.hpp"

#include <cmath>

#include "rounds.hpp"

namespace covey {
namespace {

// More than the roundings of a sum of two distances.
constexpr double slack = 1e-9;

// A record's greatest squared distance from any record left is at most `bound`, and just that, to `partner`,
// while `partner` is left.
struct Reach {
  double bound;
  Row row;
  Row partner = no_row;
  bool operator<(const Reach& other) const { return bound < other.bound || (bound == other.bound && row > other.row); }
};

template <class Left>
class Diameter {
 public:
  Diameter(const Records& records, const Left& left, Ticker& ticker)
      : space_(records.space), left_(left), ticker_(ticker) {
    std::vector<double> centre(static_cast<std::size_t>(space_.d()));
    RunningAverage(records).write(centre);
    const double radius = distance_at_most(left.farthest(centre.data()).distance);
    queue_.reserve(static_cast<std::size_t>(records.space.n));
    for (Row row = 0; row < records.space.n; ++row) {
      const double bound = (distance_at_most(space_.distance(space_.row(row), centre.data())) + radius) * (1.0 + slack);
      queue_.push_back({bound * bound, row});
    }
    std::make_heap(queue_.begin(), queue_.end());
  }

  // The lowest record that is an end of the longest distance among the records left.
  Row end() {
    for (;;) {
      const Reach reach = queue_.front();
      if (left_.alive(reach.row) && reach.partner != no_row && left_.alive(reach.partner)) return reach.row;
      std::pop_heap(queue_.begin(), queue_.end());
      queue_.pop_back();
      if (!left_.alive(reach.row)) continue;
      ticker_.tick(space_.n - left_.count());
      const Hit hit = left_.farthest(space_.row(reach.row));
      queue_.push_back({hit.distance, reach.row, hit.row});
      std::push_heap(queue_.begin(), queue_.end());
    }
  }

 private:
  const Space& space_;
  const Left& left_;
  Ticker& ticker_;
  std::vector<Reach> queue_;
};

template <class Left>
void run_md(const Records& records, const Options& options, Left& left, Cells& cells,
            Ticker& ticker) {
  const std::int64_t k = options.k;
  Diameter diameter(records, left, ticker);
  Rounds rounds(records.space, left, cells, options.k, two_threads(options, records.space), ticker, [](Row) {});

  while (left.count() >= 2 * k) rounds.form_two(diameter.end());
  const std::vector<Row> rest = left.rows();
  if (left.count() >= k)
    rounds.form(rest);
  else
    join_nearest(records, rest, cells);
}

}  // namespace

void md(const Records& records, const Options& options, Cells& cells, Ticker& ticker) {
  with_index(records, options.search, ticker, [&](auto& left) { run_md(records, options, left, cells, ticker); });
}

}  // namespace covey
