#include "order.hpp"

#include <algorithm>
#include <limits>

#include "lanes.hpp"

namespace covey {
namespace {

constexpr std::size_t most_at_top = 64;
constexpr std::size_t sample = 256;  // records looked at to choose a column; more did not prune better

class Splitter {
 public:
  Splitter(const Space& space, const Shape& shape, std::vector<Row>& rows, Ticker& ticker)
      : space_(space), ticker_(ticker), d_(static_cast<std::size_t>(space.d())), rows_(rows), begin_(shape.leaves + 1, rows.size()),
        records_(rows.size() * d_), keyed_(rows.size()), moved_rows_(rows.size()), moved_records_(rows.size() * d_) {
    for (std::size_t i = 0; i < rows.size(); ++i) std::copy_n(space.row(rows[i]), d_, records_.data() + i * d_);
  }

  std::vector<std::size_t> run(const Shape& shape) {
    std::size_t leaves_per_child = 1;
    for (int h = 1; h < shape.height; ++h) leaves_per_child *= lanes;
    into_children(0, rows_.size(), 0, shape.top, leaves_per_child);
    return std::move(begin_);
  }

 private:
  struct Keyed {
    double key;
    std::uint32_t at;
  };
  struct Part {
    std::size_t from, to, leaf;
  };

  // Splits the records [from, to) among `children` subtrees of `leaves` leaves each, the first being `leaf`.
  void into_children(std::size_t from, std::size_t to, std::size_t leaf, std::size_t children, std::size_t leaves) {
    for (std::size_t i = from; i < to; ++i) keyed_[i].at = static_cast<std::uint32_t>(i);
    std::vector<Part> parts;
    halve(from, to, leaf, children, leaves, parts);
    move_records(from, to);
    for (const Part& part : parts) {
      if (leaves == 1)
        begin_[part.leaf] = part.from;
      else
        into_children(part.from, part.to, part.leaf, lanes, leaves / lanes);
    }
  }

  void halve(std::size_t from, std::size_t to, std::size_t leaf, std::size_t children, std::size_t leaves,
             std::vector<Part>& parts) {
    if (children == 1) {
      parts.push_back({from, to, leaf});
      return;
    }
    ticker_.tick(space_.n - static_cast<std::int64_t>(rows_.size()));
    const std::size_t left = children / 2;
    const std::size_t middle = from + (to - from) * left / children;
    if (middle > from && middle < to) {
      const std::size_t column = widest(from, to);
      for (std::size_t i = from; i < to; ++i) keyed_[i].key = records_[keyed_[i].at * d_ + column];
      const auto at = keyed_.begin();
      std::nth_element(at + static_cast<std::ptrdiff_t>(from), at + static_cast<std::ptrdiff_t>(middle),
                       at + static_cast<std::ptrdiff_t>(to),
                       [](const Keyed& a, const Keyed& b) { return a.key < b.key; });
    }
    halve(from, middle, leaf, left, leaves, parts);
    halve(middle, to, leaf + left * leaves, children - left, leaves, parts);
  }

  // The column of greatest extent; a nominal one with several categories extends over 1.
  std::size_t widest(std::size_t from, std::size_t to) const {
    const std::size_t step = std::max<std::size_t>(1, (to - from) / sample);
    std::size_t best = 0;
    double best_extent = -1.0;
    for (std::size_t j = 0; j < d_; ++j) {
      double least = std::numeric_limits<double>::infinity(), greatest = -least;
      for (std::size_t i = from; i < to; i += step) {
        const double x = records_[keyed_[i].at * d_ + j];
        least = std::min(least, x);
        greatest = std::max(greatest, x);
      }
      double extent = greatest - least;
      if (j >= static_cast<std::size_t>(space_.numeric)) extent = std::min(extent, 1.0);
      if (extent > best_extent) {
        best_extent = extent;
        best = j;
      }
    }
    return best;
  }

  void move_records(std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      moved_rows_[i] = rows_[keyed_[i].at];
      std::copy_n(records_.data() + keyed_[i].at * d_, d_, moved_records_.data() + i * d_);
    }
    std::copy(moved_rows_.begin() + static_cast<std::ptrdiff_t>(from), moved_rows_.begin() + static_cast<std::ptrdiff_t>(to),
              rows_.begin() + static_cast<std::ptrdiff_t>(from));
    std::copy(moved_records_.begin() + static_cast<std::ptrdiff_t>(from * d_),
              moved_records_.begin() + static_cast<std::ptrdiff_t>(to * d_),
              records_.begin() + static_cast<std::ptrdiff_t>(from * d_));
  }

  const Space& space_;
  Ticker& ticker_;
  std::size_t d_;
  std::vector<Row>& rows_;
  std::vector<std::size_t> begin_;
  std::vector<double> records_;  // in the order of rows_, so that every split reads nearby memory
  std::vector<Keyed> keyed_;
  std::vector<Row> moved_rows_;
  std::vector<double> moved_records_;
};

}  // namespace

Shape shape_for(std::size_t records) {
  Shape shape{1, 1, 1};
  std::size_t per_child = lanes;
  while (records > most_at_top * per_child) {
    per_child *= lanes;
    ++shape.height;
  }
  shape.top = std::max<std::size_t>(1, (records + per_child - 1) / per_child);
  shape.leaves = shape.top * (per_child / lanes);
  return shape;
}

std::vector<std::size_t> order_for_leaves(const Space& space, const Shape& shape, std::vector<Row>& rows, Ticker& ticker) {
  return Splitter(space, shape, rows, ticker).run(shape);
}

}  // namespace covey
