#include "neighbours.hpp"

#include <algorithm>

#include "nearest.hpp"
#include "search.hpp"

namespace covey {
namespace {

int widest_column(const Space& space, std::span<const Row> rows) {
  int widest = 0;
  double most = -1.0;
  for (int j = 0; j < space.d(); ++j) {
    const auto [least, greatest] = std::minmax_element(
        rows.begin(), rows.end(), [&](Row a, Row b) { return space.row(a)[j] < space.row(b)[j]; });
    double extent = space.row(*greatest)[j] - space.row(*least)[j];
    if (j >= space.numeric) extent = extent > 0.0 ? 1.0 : 0.0;
    if (extent > most) {
      most = extent;
      widest = j;
    }
  }
  return widest;
}

void halve(const Space& space, std::span<Row> rows) {
  constexpr std::size_t enough = 8;
  while (rows.size() > enough) {
    const int j = widest_column(space, rows);
    const auto middle = rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2);
    std::nth_element(rows.begin(), middle, rows.end(), [&](Row a, Row b) {
      const double left = space.row(a)[j], right = space.row(b)[j];
      return left < right || (left == right && a < b);
    });
    halve(space, rows.subspan(rows.size() / 2));
    rows = rows.first(rows.size() / 2);
  }
  std::sort(rows.begin(), rows.end());
}

}  // namespace

std::vector<Row> nearby_order(const Space& space) {
  std::vector<Row> rows = all_rows(space);
  halve(space, rows);
  return rows;
}

Neighbours::Neighbours(const Records& records, std::span<const Row> order, Row count, Ticker& ticker)
    : count_(std::min(count, records.space.n - 1)) {
  std::vector<Row> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[static_cast<std::size_t>(order[i])] = static_cast<Row>(i);
  rows_.reserve(order.size() * static_cast<std::size_t>(count_));
  with_index(records, Search::automatic, ticker, [&](const auto& index) {
    for (const Row row : order) {
      Nearest best(count_);
      index.nearest(records.space.row(row), best, row);
      for (const Hit& hit : best.sorted()) rows_.push_back(place[static_cast<std::size_t>(hit.row)]);
      ticker.tick(0);
    }
  });
}

}  // namespace covey
