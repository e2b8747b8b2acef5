#include "distortion.hpp"

#include <numeric>

#include "nearest.hpp"
#include "order.hpp"
#include "tree.hpp"

namespace covey {

PointDistortion::PointDistortion(const Space& space, std::span<const double> ratios, Ticker& ticker)
    : d_(static_cast<std::size_t>(space.d())), row_at_(all_rows(space)) {
  order_for_leaves(space, shape_for(row_at_.size()), row_at_, ticker);
  records_.reserve(row_at_.size() * d_);
  for (const Row row : row_at_) records_.insert(records_.end(), space.row(row), space.row(row) + d_);
  if (!ratios.empty())
    for (const Row row : row_at_) ratios_.push_back(ratios[static_cast<std::size_t>(row)]);
  bound();
}

void PointDistortion::set_points(std::span<const double> points, Ticker& ticker) {
  const bool others = points.size() != points_.size();
  points_.assign(points.begin(), points.end());
  cells_ = static_cast<Cell>(points.size() / d_);
  if (others || ++steps_ >= steps_of_a_scale) measure_scales(ticker);
}

// In the middle of each block; no less than a trace of the greatest, lest equal points have none.
void PointDistortion::measure_scales(Ticker& ticker) {
  steps_ = 0;
  const Space points{points_.data(), cells_, static_cast<int>(d_), 0};
  Tree tree(points, true, ticker);
  std::vector<double> lowest(blocks());
  std::vector<double> middle(d_);
  double greatest = 0.0;
  for (std::size_t b = 0; b < lowest.size(); ++b) {
    const double* sides = boxes_[0].data() + b * (2 * d_ + 2);
    for (std::size_t j = 0; j < d_; ++j) middle[j] = 0.5 * sides[2 * j] + 0.5 * sides[2 * j + 1];
    Nearest nearest(std::min<int>(neighbours, cells_));
    tree.nearest(middle.data(), nearest);
    const std::vector<Hit>& hits = nearest.sorted();
    lowest[b] = sides[2 * d_ + 1] * (hits.back().distance - hits.front().distance);
    greatest = std::max(greatest, lowest[b] + sides[2 * d_ + 1] * hits.front().distance);
  }
  for (double& scale : lowest) scale = std::max(scale, greatest > 0.0 ? 1e-6 * greatest : 1.0);
  scales_.assign(1, std::move(lowest));
  while (scales_.size() < boxes_.size()) {
    const std::vector<double>& below = scales_.back();
    std::vector<double> above((below.size() + fan - 1) / fan, 0.0);
    for (std::size_t child = 0; child < below.size(); ++child) above[child / fan] = std::max(above[child / fan], below[child]);
    scales_.push_back(std::move(above));
  }
}

PointDistortion PointDistortion::sample(Row stride) const {
  PointDistortion part;
  part.d_ = d_;
  part.cells_ = cells_;
  part.points_ = points_;
  for (std::size_t at = static_cast<std::size_t>(stride) / 2; at < row_at_.size(); at += static_cast<std::size_t>(stride)) {
    part.row_at_.push_back(row_at_[at]);
    part.records_.insert(part.records_.end(), records_.data() + at * d_, records_.data() + (at + 1) * d_);
    if (!ratios_.empty()) part.ratios_.push_back(ratios_[at]);
  }
  part.bound();
  Ticker silent{Poll{}, 1};
  part.measure_scales(silent);
  return part;
}

void PointDistortion::bound() {
  const std::size_t size = 2 * d_ + 2;
  const auto empty_box = [&](std::vector<double>& boxes) {
    for (std::size_t j = 0; j <= d_; ++j) {
      boxes.push_back(std::numeric_limits<double>::infinity());
      boxes.push_back(-std::numeric_limits<double>::infinity());
    }
    return boxes.data() + boxes.size() - size;
  };
  std::vector<double> lowest;
  for (std::size_t b = 0; b < blocks(); ++b) {
    double* box = empty_box(lowest);
    for (std::size_t at = b * block; at < std::min(row_at_.size(), (b + 1) * block); ++at)
      for (std::size_t j = 0; j <= d_; ++j) {
        const double x = j < d_ ? records_[at * d_ + j] : ratios_.empty() ? 1.0 : ratios_[at];
        box[2 * j] = std::min(box[2 * j], x);
        box[2 * j + 1] = std::max(box[2 * j + 1], x);
      }
  }
  boxes_.assign(1, std::move(lowest));
  while (boxes_.back().size() > fan * size) {
    std::vector<double> above;
    const std::vector<double>& below = boxes_.back();
    for (std::size_t first = 0; first < below.size(); first += fan * size) {
      double* box = empty_box(above);
      for (std::size_t child = first; child < std::min(below.size(), first + fan * size); child += size)
        for (std::size_t j = 0; j < size; j += 2) {
          box[j] = std::min(box[j], below[child + j]);
          box[j + 1] = std::max(box[j + 1], below[child + j + 1]);
        }
    }
    boxes_.push_back(std::move(above));
  }
}

// Cell q is never near if one other cell r is cheaper by more than that all over the box. For r the cheapest
// in the middle of the box is taken. d_r − d_q is linear in x and in the ratio, so it is greatest in a corner.
void PointDistortion::keep_near(std::size_t level, std::size_t box, std::span<const double> costs, double reach,
                                std::span<const Cell> cells, std::vector<Cell>& kept) const {
  const double* sides = boxes_[level].data() + box * (2 * d_ + 2);
  const double least_ratio = sides[2 * d_], greatest_ratio = sides[2 * d_ + 1];
  const double ratio = 0.5 * least_ratio + 0.5 * greatest_ratio;
  Cell r = cells.front();
  double least = std::numeric_limits<double>::infinity();
  for (const Cell q : cells) {
    const double* point = points_.data() + static_cast<std::size_t>(q) * d_;
    double value = 0.0;
    for (std::size_t j = 0; j < d_; ++j) {
      const double gap = 0.5 * sides[2 * j] + 0.5 * sides[2 * j + 1] - point[j];
      value += gap * gap;
    }
    value = ratio * value + costs[static_cast<std::size_t>(q)];
    if (value < least) {
      least = value;
      r = q;
    }
  }
  const double margin = reach * scales_[level][box];
  const double* here = points_.data() + static_cast<std::size_t>(r) * d_;
  for (const Cell q : cells) {
    const double* there = points_.data() + static_cast<std::size_t>(q) * d_;
    double difference = 0.0, size = 0.0;  // the greatest d_r − d_q, and what its roundings are measured by
    for (std::size_t j = 0; j < d_; ++j) {
      const double x = there[j] > here[j] ? sides[2 * j + 1] : sides[2 * j];
      const double a = (x - here[j]) * (x - here[j]), b = (x - there[j]) * (x - there[j]);
      difference += a - b;
      size += a + b;
    }
    const double most = difference * (difference > 0.0 ? greatest_ratio : least_ratio);
    const double apart = costs[static_cast<std::size_t>(r)] - costs[static_cast<std::size_t>(q)];
    const double slack = 1e-12 * (size * greatest_ratio + std::fabs(apart));
    if (q == r || most + apart + margin + slack >= 0.0) kept.push_back(q);
  }
}

TableDistortion::TableDistortion(std::span<const double> table, Row n, Cell cells) : table_(table), n_(n), cells_(cells), all_(static_cast<std::size_t>(cells)) {
  std::iota(all_.begin(), all_.end(), 0);
  double greatest = 0.0;
  for (const double d : table) greatest = std::max(greatest, std::fabs(d));
  std::vector<double> sorted(all_.size());
  for (Row place = 0; place < n; ++place) {
    for (const Cell q : all_) sorted[static_cast<std::size_t>(q)] = (*this)(place, q);
    const auto last = sorted.begin() + std::min<std::ptrdiff_t>(neighbours, cells) - 1;
    std::nth_element(sorted.begin(), last, sorted.end());
    const double far = *last;
    const double scale = far - *std::min_element(sorted.begin(), sorted.end());
    scales_.push_back(std::max(scale, greatest > 0.0 ? 1e-6 * greatest : 1.0));
  }
}

}  // namespace covey
