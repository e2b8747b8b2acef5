// What moves do to the sum of squared errors where every column is averaged by its mean: closed forms.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "average.hpp"
#include "roster.hpp"

namespace covey {

// Only distances between records and means enter, so nothing large is subtracted from anything large. The mean of a
// cell follows its records as they come and go, and is taken anew after as many changes as the cell has records.
// Time: O(d) a question and, on average, a change. Scratch: d doubles, up to a multiple of four, a record and a cell.
class Means {
 public:
  // Records go by their places in `order`.
  Means(const Records& records, std::span<const Row> order, Row cells, Row room);

  // By how much the sum grows when x joins a cell, and shrinks when it leaves its own.
  double joining(const Roster& roster, Row x, Row cell) const {
    return grown_[static_cast<std::size_t>(roster.size(cell))] * distance(row(x), mean(cell));
  }
  double leaving(const Roster& roster, Row x) const {
    const Row cell = roster.cell(x);
    return shrunk_[static_cast<std::size_t>(roster.size(cell))] * distance(row(x), mean(cell));
  }
  // By how much it grows when x and y of two cells change places, and when y takes the place of x in x's cell.
  double swapping(const Roster& roster, Row x, Row y) const;
  double replacing(const Roster& roster, Row x, Row y) const;

  // To be told of each change of a cell, after it.
  void joined(const Roster& roster, Row x, Row cell);
  void left(const Roster& roster, Row x, Row cell);
  void replaced(const Roster& roster, Row cell, Row x, Row y);

  double squared_distance(Row x, Row y) const { return distance(row(x), row(y)); }
  // The sum of squared errors of records that share a cell.
  double cost(std::span<const Row> members) const;

 private:
  // Four columns at a time, and the four sums added in one order: the same bits on every processor.
  using Four = double __attribute__((vector_size(32), aligned(8), may_alias));
  static Four load(const double* p) { return *reinterpret_cast<const Four*>(p); }
  static void store(double* p, Four v) { *reinterpret_cast<Four*>(p) = v; }
  static double total(Four v) { return (v[0] + v[1]) + (v[2] + v[3]); }

  const double* row(Row x) const { return rows_.data() + static_cast<std::size_t>(x) * stride_; }
  const double* mean(Row cell) const { return means_.data() + static_cast<std::size_t>(cell) * stride_; }
  double distance(const double* a, const double* b) const;
  double share(Row size) const { return share_[static_cast<std::size_t>(size)]; }
  // mean += factor·(to − from)
  void shift(Row cell, const double* from, const double* to, double factor);
  void changed(const Roster& roster, Row cell);
  void average(std::span<const Row> members, double* mean) const;

  std::size_t stride_;  // d, filled up with zeros to a multiple of four
  std::vector<double> rows_, means_;
  std::vector<double> grown_, shrunk_, share_;  // s/(s+1), s/(s−1), 1/s
  std::vector<Row> changes_;                    // of each cell since its mean was taken
  mutable std::vector<double> mean_;
};

inline double Means::distance(const double* a, const double* b) const {
  Four sum{};
  for (std::size_t j = 0; j < stride_; j += 4) {
    const Four t = load(a + j) - load(b + j);
    sum += t * t;
  }
  return total(sum);
}

// With u = y − x, and v between the means, −2u·v − |u|²(1/a + 1/b).
inline double Means::swapping(const Roster& roster, Row x, Row y) const {
  const Row a = roster.cell(x), b = roster.cell(y);
  const double *from = row(x), *to = row(y), *mean_a = mean(a), *mean_b = mean(b);
  Four along{}, square{};
  for (std::size_t j = 0; j < stride_; j += 4) {
    const Four u = load(to + j) - load(from + j);
    along += u * (load(mean_a + j) - load(mean_b + j));
    square += u * u;
  }
  return -2.0 * total(along) - total(square) * (share(roster.size(a)) + share(roster.size(b)));
}

// |y − mean|² − |x − mean|² − |y − x|²/s
inline double Means::replacing(const Roster& roster, Row x, Row y) const {
  const Row cell = roster.cell(x);
  const double *from = row(x), *to = row(y), *centre = mean(cell);
  Four along{}, square{};
  for (std::size_t j = 0; j < stride_; j += 4) {
    const Four u = load(to + j) - load(from + j);
    along += u * ((load(to + j) - load(centre + j)) + (load(from + j) - load(centre + j)));
    square += u * u;
  }
  return total(along) - total(square) * share(roster.size(cell));
}

inline void Means::shift(Row cell, const double* from, const double* to, double factor) {
  double* mean = means_.data() + static_cast<std::size_t>(cell) * stride_;
  for (std::size_t j = 0; j < stride_; j += 4) store(mean + j, load(mean + j) + (load(to + j) - load(from + j)) * factor);
}

inline void Means::changed(const Roster& roster, Row cell) {
  Row& changes = changes_[static_cast<std::size_t>(cell)];
  if (++changes < roster.size(cell)) return;
  average(roster.members(cell), means_.data() + static_cast<std::size_t>(cell) * stride_);
  changes = 0;
}

inline void Means::joined(const Roster& roster, Row x, Row cell) {
  shift(cell, mean(cell), row(x), share(roster.size(cell)));
  changed(roster, cell);
}

inline void Means::left(const Roster& roster, Row x, Row cell) {
  shift(cell, row(x), mean(cell), share(roster.size(cell)));
  changed(roster, cell);
}

inline void Means::replaced(const Roster& roster, Row cell, Row x, Row y) {
  shift(cell, row(x), row(y), share(roster.size(cell)));
  changed(roster, cell);
}

}  // namespace covey
