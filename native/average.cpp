#include "average.hpp"

#include <cmath>
#include <limits>

namespace covey {

int median(std::span<const std::int64_t> frequencies) {
  std::int64_t total = 0, reached = 0;
  for (const auto f : frequencies) total += f;
  for (std::size_t a = 0; a < frequencies.size(); ++a) {
    reached += frequencies[a];
    if (2 * reached >= total) return static_cast<int>(a);
  }
  return 0;
}

int convex_median(std::span<const std::int64_t> frequencies) {
  std::vector<std::int64_t> unimodal(frequencies.begin(), frequencies.end());
  std::int64_t highest = 0;
  for (auto& f : unimodal) f = highest = std::max(highest, f);
  highest = 0;
  for (std::size_t a = frequencies.size(); a-- > 0;) {
    highest = std::max(highest, frequencies[a]);
    unimodal[a] = std::min(unimodal[a], highest);
  }
  return median(unimodal);
}

int mode(std::span<const std::int64_t> frequencies) {
  return static_cast<int>(std::max_element(frequencies.begin(), frequencies.end()) - frequencies.begin());
}

namespace {

std::size_t category(const ColumnAverage& column, double value) {
  return static_cast<std::size_t>(column.kind == Average::mode ? value : std::round(value * column.levels));
}

double encoded(const ColumnAverage& column, int category) {
  return column.kind == Average::mode ? category : static_cast<double>(category) / column.levels;
}

}  // namespace

RunningAverage::RunningAverage(const Records& records, std::span<const Row> rows) : records_(&records) {
  for (std::size_t j = 0; j < records.columns.size(); ++j) {
    double least = std::numeric_limits<double>::infinity(), greatest = 0.0;
    for (const Row row : rows) {
      const double magnitude = std::fabs(records.space.row(row)[j]);
      if (magnitude != 0.0) least = std::min(least, magnitude);
      greatest = std::max(greatest, magnitude);
    }
    const bool mean = records.columns[j].kind == Average::mean;
    sums_.emplace_back(mean && greatest > 0.0 ? least : 1.0, mean && greatest > 0.0 ? greatest : 1.0);
    frequencies_.emplace_back(mean ? 0 : static_cast<std::size_t>(records.columns[j].levels));
  }
  for (const Row row : rows) count_record(row, 1);
}

void RunningAverage::remove(Row row) { count_record(row, -1); }

void RunningAverage::count_record(Row row, int sign) {
  const double* record = records_->space.row(row);
  for (std::size_t j = 0; j < records_->columns.size(); ++j) {
    const ColumnAverage& column = records_->columns[j];
    if (column.kind != Average::mean)
      frequencies_[j][category(column, record[j])] += sign;
    else if (sign > 0)
      sums_[j].add(record[j]);
    else
      sums_[j].subtract(record[j]);
  }
  count_ += sign;
}

void RunningAverage::write(std::span<double> average) const {
  for (std::size_t j = 0; j < records_->columns.size(); ++j) {
    const ColumnAverage& column = records_->columns[j];
    switch (column.kind) {
      case Average::mean: average[j] = sums_[j].value() / count_; break;
      case Average::median: average[j] = encoded(column, median(frequencies_[j])); break;
      case Average::convex_median: average[j] = encoded(column, convex_median(frequencies_[j])); break;
      case Average::mode: average[j] = encoded(column, mode(frequencies_[j])); break;
    }
  }
}

}  // namespace covey
