// The average record of the records left: mean, median or convex median, and mode, column by column.
#pragma once

#include <span>
#include <vector>

#include "exact_sum.hpp"
#include "space.hpp"

namespace covey {

// What the average of a column is. Ordinal columns hold rank / levels; nominal ones hold codes.
enum class Average : std::uint8_t { mean, median, convex_median, mode };

struct ColumnAverage {
  Average kind;
  int levels;  // categories of an ordinal or nominal column
};

// Records whose columns can be averaged.
struct Records {
  Space space;
  std::vector<ColumnAverage> columns;
};

// The category at which the cumulative frequency reaches one half.
int median(std::span<const std::int64_t> frequencies);
// The same of the frequencies made unimodal: f'(a) = min(max_{b≤a} f(b), max_{b≥a} f(b)).
int convex_median(std::span<const std::int64_t> frequencies);
// The most frequent category, the lowest of several.
int mode(std::span<const std::int64_t> frequencies);

// Exact however many records are removed: means come from exact sums, rounded once and divided once.
// Time a removal: O(d). Memory: O(Σ levels).
class RunningAverage {
 public:
  explicit RunningAverage(const Records& records) : RunningAverage(records, all_rows(records.space)) {}
  RunningAverage(const Records& records, std::span<const Row> rows);

  void remove(Row row);
  Row count() const { return count_; }
  void write(std::span<double> average) const;

 private:
  void count_record(Row row, int sign);

  const Records* records_;
  std::vector<ExactSum> sums_;                          // one a column; unused where categories are counted
  std::vector<std::vector<std::int64_t>> frequencies_;  // one a column; empty for means
  Row count_ = 0;
};

}  // namespace covey
