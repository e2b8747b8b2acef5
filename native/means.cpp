#include "means.hpp"

#include <algorithm>

namespace covey {
namespace {

// The mean of a column, or near it: it only keeps offsets out of the arithmetic.
double middle(const Space& space, int column) {
  const double origin = space.row(0)[column];
  double sum = 0.0;
  for (Row i = 0; i < space.n; ++i) sum += space.row(i)[column] - origin;
  return origin + sum / space.n;
}

}  // namespace

Means::Means(const Records& records, std::span<const Row> order, Row cells, Row room)
    : stride_((static_cast<std::size_t>(records.space.d()) + 3) / 4 * 4), rows_(order.size() * stride_, 0.0),
      means_(static_cast<std::size_t>(cells) * stride_, 0.0), changes_(static_cast<std::size_t>(cells), 0),
      mean_(stride_) {
  for (int j = 0; j < records.space.d(); ++j) {
    const double centre = middle(records.space, j);
    for (std::size_t i = 0; i < order.size(); ++i)
      rows_[i * stride_ + static_cast<std::size_t>(j)] = records.space.row(order[i])[j] - centre;
  }
  for (Row size = 0; size <= room; ++size) {
    grown_.push_back(size / (size + 1.0));
    shrunk_.push_back(size > 1 ? size / (size - 1.0) : 0.0);
    share_.push_back(size > 0 ? 1.0 / size : 0.0);
  }
}

void Means::average(std::span<const Row> members, double* mean) const {
  std::fill_n(mean, stride_, 0.0);
  for (const Row x : members)
    for (std::size_t j = 0; j < stride_; ++j) mean[j] += row(x)[j];
  const double part = share(static_cast<Row>(members.size()));
  for (std::size_t j = 0; j < stride_; ++j) mean[j] *= part;
}

double Means::cost(std::span<const Row> members) const {
  average(members, mean_.data());
  double sum = 0.0;
  for (const Row x : members) sum += distance(row(x), mean_.data());
  return sum;
}

}  // namespace covey
