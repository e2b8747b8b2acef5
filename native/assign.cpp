#include "assign.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "nearest.hpp"
#include "tree.hpp"

namespace covey {
namespace {

// The tree rounds: these many are compared again by d + c itself.
constexpr int candidates = 3;

double distortion(const double* x, const double* point, std::size_t d) {
  double sum = 0.0;
  for (std::size_t j = 0; j < d; ++j) sum += (x[j] - point[j]) * (x[j] - point[j]);
  return sum;
}

}  // namespace

void assign(std::span<const double> X, std::span<const double> points, std::span<const double> costs,
            std::vector<std::int64_t>& labels, Ticker& ticker) {
  const std::size_t m = costs.size(), d = points.size() / m;
  const double least = *std::min_element(costs.begin(), costs.end());
  std::vector<double> lifted;
  lifted.reserve(m * (d + 1));
  for (std::size_t q = 0; q < m; ++q) {
    lifted.insert(lifted.end(), points.data() + q * d, points.data() + (q + 1) * d);
    lifted.push_back(std::sqrt(costs[q] - least));
  }
  const Space space{lifted.data(), static_cast<Row>(m), static_cast<int>(d) + 1, 0};
  const Tree tree(space, true, ticker);
  std::vector<double> record(d + 1, 0.0);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (i % 4096 == 0) ticker.tick(static_cast<std::int64_t>(i));
    const double* x = X.data() + i * d;
    std::copy_n(x, d, record.begin());
    Nearest nearest(static_cast<int>(std::min<std::size_t>(candidates, m)));
    tree.nearest(record.data(), nearest);
    Hit best{std::numeric_limits<double>::infinity(), no_row};
    for (const Hit& hit : nearest.sorted()) {
      const auto q = static_cast<std::size_t>(hit.row);
      const Hit found{distortion(x, points.data() + q * d, d) + costs[q], hit.row};
      if (best.row == no_row || nearer(found, best)) best = found;
    }
    labels[i] = best.row;
  }
}

}  // namespace covey
