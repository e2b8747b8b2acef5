#include "mixed.hpp"

#include <algorithm>
#include <cmath>

namespace covey {
namespace {

double squares_about(std::span<const double> values, double centre) {
  double sum = 0.0;
  for (const double value : values) sum += (value - centre) * (value - centre);
  return sum;
}

double mean_of(std::span<const double> values) {
  double sum = 0.0;
  for (const double value : values) sum += value - values[0];
  return values[0] + sum / static_cast<double>(values.size());
}

// How many of these, which are sorted, are not the most frequent value.
double others_than_mode(std::span<const double> values) {
  std::size_t most = 0, run = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    run = i > 0 && values[i] == values[i - 1] ? run + 1 : 1;
    most = std::max(most, run);
  }
  return static_cast<double>(values.size() - most);
}

}  // namespace

Mixed::Mixed(const Records& records, std::span<const Row> order, Row cells, Row room)
    : space_(records.space), columns_(records.columns), cost_(static_cast<std::size_t>(cells), 0.0) {
  const auto d = static_cast<std::size_t>(space_.d());
  rows_.reserve(order.size() * d);
  for (const Row row : order) rows_.insert(rows_.end(), records.space.row(row), records.space.row(row) + d);
  space_.values = rows_.data();
  members_.reserve(static_cast<std::size_t>(room) + 1);
  values_.reserve(static_cast<std::size_t>(room) + 1);
}

double Mixed::cost_with(const Roster& roster, Row cell, Row without, Row with) const {
  const auto members = roster.members(cell);
  members_.clear();
  std::copy_if(members.begin(), members.end(), std::back_inserter(members_), [&](Row x) { return x != without; });
  if (with != no_row) members_.push_back(with);
  return cost(members_);
}

double Mixed::cost(std::span<const Row> members) const {
  double sum = 0.0;
  for (int j = 0; j < space_.d() && !members.empty(); ++j) {
    values_.clear();
    for (const Row x : members) values_.push_back(space_.row(x)[j]);
    sum += column_cost(j);
  }
  return sum;
}

double Mixed::column_cost(int column) const {
  const ColumnAverage& average = columns_[static_cast<std::size_t>(column)];
  if (average.kind == Average::mean) return squares_about(values_, mean_of(values_));
  std::sort(values_.begin(), values_.end());
  if (average.kind == Average::mode) return others_than_mode(values_);
  return squares_about(values_, median_of(average));
}

// Of values that are sorted: rank / levels.
double Mixed::median_of(const ColumnAverage& average) const {
  if (average.kind == Average::median) return values_[(values_.size() - 1) / 2];
  frequencies_.assign(static_cast<std::size_t>(average.levels), 0);
  for (const double value : values_) ++frequencies_[static_cast<std::size_t>(std::lround(value * average.levels))];
  return static_cast<double>(convex_median(frequencies_)) / average.levels;
}

}  // namespace covey
