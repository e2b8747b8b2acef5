// The records as the kernels see them, and the one distance that every kernel uses.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

namespace covey {

using Row = std::int32_t;
inline constexpr Row no_row = -1;

// A record and its squared distance from something. Ties go to the lowest row.
struct Hit {
  double distance;
  Row row;
};
// What every record is farther than.
inline constexpr Hit no_hit{0.0, std::numeric_limits<Row>::max()};
inline bool nearer(const Hit& a, const Hit& b) {
  return a.distance < b.distance || (a.distance == b.distance && a.row < b.row);
}
inline bool farther(const Hit& a, const Hit& b) {
  return a.distance > b.distance || (a.distance == b.distance && a.row < b.row);
}

// n records of d = numeric + nominal columns, row after row; numeric columns come first.
// A nominal column holds category codes, and two records that differ there are 1 apart.
struct Space {
  const double* values;
  Row n;
  int numeric;
  int nominal;

  int d() const { return numeric + nominal; }
  const double* row(Row i) const { return values + static_cast<std::size_t>(i) * d(); }

  // Squared distance, summed in column order. The lanes of lanes.hpp add the same terms in the same
  // order, so both give the same bits.
  double distance(const double* a, const double* b) const {
    double sum = 0.0;
    for (int j = 0; j < numeric; ++j) {
      const double t = a[j] - b[j];
      sum += t * t;
    }
    for (int j = numeric; j < d(); ++j) sum += a[j] != b[j] ? 1.0 : 0.0;
    return sum;
  }
};

// The distance of which this is the square as computed, or a little more: whatever the squares of tiny differences
// lost below the least normal number is far less than what is added here, and elsewhere that is nothing.
inline double distance_at_most(double square) { return std::sqrt(square + std::numeric_limits<double>::min()); }

inline std::vector<Row> all_rows(const Space& space) {
  std::vector<Row> rows(static_cast<std::size_t>(space.n));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

}  // namespace covey
