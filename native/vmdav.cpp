#include "vmdav.hpp"

#include <cmath>
#include <limits>
#include <optional>

#include "farthest.hpp"
#include "rounds.hpp"

namespace covey {
namespace {

template <class Left>
class Growth {
 public:
  Growth(const Space& space, const Left& left, double gamma) : space_(space), left_(left), gamma_(gamma) {}

  // The record left that the cell should take in next.
  std::optional<Row> next(const Members& members) const {
    Nearest closest(1);
    for (const Row member : members) left_.nearest(space_.row(member), closest, no_row);
    const std::vector<Hit>& hits = closest.sorted();
    if (hits.empty()) return std::nullopt;
    const Hit candidate = hits.front();
    const double d_in = std::sqrt(candidate.distance);
    if (d_in < gamma_ * distance_outside(candidate.row)) return candidate.row;
    return std::nullopt;
  }

 private:
  double distance_outside(Row row) const {
    Nearest closest(1);
    left_.nearest(space_.row(row), closest, row);
    const std::vector<Hit>& hits = closest.sorted();
    return hits.empty() ? std::numeric_limits<double>::infinity() : std::sqrt(hits.front().distance);
  }

  const Space& space_;
  const Left& left_;
  double gamma_;
};

template <class Left>
void run_vmdav(const Records& records, const Options& options, double gamma, Left& left,
               Cells& cells, Ticker& ticker) {
  const auto k = static_cast<std::size_t>(options.k);
  const Growth growth(records.space, left, gamma);

  for (const Row seed : from_the_outside_in(records)) {
    if (left.count() < options.k) break;
    if (!left.alive(seed)) continue;
    Members cell = nearest_to(left, records.space, seed, options.k);
    for (const Row row : cell) left.remove(row);
    while (gamma > 0.0 && cell.size() < 2 * k - 1) {
      const std::optional<Row> row = growth.next(cell);
      if (!row) break;
      cell.push_back(*row);
      left.remove(*row);
      ticker.tick(records.space.n - left.count());
    }
    cells.form(cell);
    ticker.tick(records.space.n - left.count());
  }
  join_nearest(records, left.rows(), cells);
}

}  // namespace

void vmdav(const Records& records, const Options& options, double gamma, Cells& cells,
           Ticker& ticker) {
  with_index(records, options.search, ticker,
             [&](auto& left) { run_vmdav(records, options, gamma, left, cells, ticker); });
}

}  // namespace covey
