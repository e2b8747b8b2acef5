// What it costs to give a record to a cell: d(x, x̂(q)), by points or from a table, and who is nearly the cheapest.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "poll.hpp"
#include "space.hpp"

namespace covey {

using Cell = std::int32_t;

// What a record would have in a cell.
struct Bid {
  double value;  // d + c
  double distortion;
  Cell cell;
};

// How far above the least d + c a cell is still *near* a record is told in multiples of the record's own *scale*, what it
// would lose in its eighteenth-nearest cell: where records are sparse they lose much wherever they go.
inline constexpr int neighbours = 18;

// Squared distances from reconstruction points, each times the record's own ratio (1 unless given).
// Records are held in the order of a k-d tree's leaves, sixteen to a block; a *place* is a position in that order.
// Scratch: (1 + d) doubles and a row a record, and what `near` keeps: the cells worth a look, once for each block.
class PointDistortion {
 public:
  // `ratios`: empty, or positive, one a record.
  PointDistortion(const Space& space, std::span<const double> ratios, Ticker& ticker);

  Row n() const { return static_cast<Row>(row_at_.size()); }
  Row row(Row place) const { return row_at_[static_cast<std::size_t>(place)]; }
  Cell cells() const { return cells_; }
  void set_points(std::span<const double> points, Ticker& ticker);  // cells × d

  // Every stride-th record, with the same points.
  PointDistortion sample(Row stride) const;

  // d(x, x̂(q)).
  double operator()(Row place, Cell q) const {
    const std::size_t at = static_cast<std::size_t>(place);
    const double* x = records_.data() + at * d_;
    const double* point = points_.data() + static_cast<std::size_t>(q) * d_;
    double sum = 0.0;
    for (std::size_t j = 0; j < d_; ++j) sum += (x[j] - point[j]) * (x[j] - point[j]);
    return ratios_.empty() ? sum : ratios_[at] * sum;
  }

  double scale(Row place) const { return scales_[0][static_cast<std::size_t>(place) / block]; }

  // Tells visit(place, bids, least) of each record, where `bids` are those of all cells whose d + c is at most `reach`
  // scales above the least, and perhaps more; `least` is the place of the least in them, the lowest cell of several.
  // Remembers for each block which cells those may be.
  template <class Visit>
  void near(std::span<const double> costs, double reach, Ticker& ticker, Visit&& visit);

  // The cells that the last `near` remembered for this record.
  std::span<const Cell> remembered(Row place) const {
    const std::size_t b = static_cast<std::size_t>(place) / block;
    return std::span(near_cells_).subspan(near_begin_[b], near_begin_[b + 1] - near_begin_[b]);
  }

 private:
  static constexpr std::size_t block = 16;
  static constexpr std::size_t fan = 4;  // blocks, or boxes, below a box

  PointDistortion() = default;
  void bound();
  void measure_scales(Ticker& ticker);

  // Points move little from step to step, and any scale will do: it is measured anew now and then.
  static constexpr int steps_of_a_scale = 10;
  std::size_t blocks() const { return (row_at_.size() + block - 1) / block; }
  // Those of `cells` that are near somewhere in the box.
  void keep_near(std::size_t level, std::size_t box, std::span<const double> costs, double reach,
                 std::span<const Cell> cells, std::vector<Cell>& kept) const;
  template <class Visit>
  void descend(std::size_t level, std::size_t box, std::span<const double> costs, double reach,
               std::span<const Cell> cells, Ticker& ticker, Visit& visit);
  template <class Visit>
  void look_over(std::size_t b, std::span<const double> costs, std::span<const Cell> cells, Visit& visit);

  std::size_t d_ = 0;
  Cell cells_ = 0;
  std::vector<Row> row_at_;
  std::vector<double> records_;  // by place
  std::vector<double> ratios_;   // by place; empty for ones
  std::vector<double> points_;
  // Of every level: lower sides, upper sides, least and greatest ratio of each box, 2d + 2 numbers together.
  std::vector<std::vector<double>> boxes_;
  int steps_ = 0;                            // since scales were measured
  std::vector<std::vector<double>> scales_;  // of every level: of each box, the greatest in it
  std::vector<Cell> near_cells_;
  std::vector<std::size_t> near_begin_;
  std::vector<Bid> bids_;
};

// A table of distortions, record by record; any numbers.
class TableDistortion {
 public:
  TableDistortion(std::span<const double> table, Row n, Cell cells);

  Row n() const { return n_; }
  Row row(Row place) const { return place; }
  Cell cells() const { return cells_; }
  double operator()(Row place, Cell q) const {
    return table_[static_cast<std::size_t>(place) * static_cast<std::size_t>(cells_) + static_cast<std::size_t>(q)];
  }
  double scale(Row place) const { return scales_[static_cast<std::size_t>(place)]; }

  template <class Visit>
  void near(std::span<const double> costs, double, Ticker& ticker, Visit&& visit) {
    bids_.resize(all_.size());
    for (Row place = 0; place < n_; ++place) {
      ticker.tick(0);
      std::size_t least = 0;
      for (std::size_t q = 0; q < all_.size(); ++q) {
        const double distortion = (*this)(place, all_[q]);
        bids_[q] = {distortion + costs[q], distortion, all_[q]};
        if (bids_[q].value < bids_[least].value) least = q;
      }
      visit(place, std::span<const Bid>(bids_), least);
    }
  }

  std::span<const Cell> remembered(Row) const { return all_; }

 private:
  std::span<const double> table_;
  Row n_;
  Cell cells_;
  std::vector<Cell> all_;
  std::vector<double> scales_;
  std::vector<Bid> bids_;
};

template <class Visit>
void PointDistortion::near(std::span<const double> costs, double reach, Ticker& ticker, Visit&& visit) {
  near_cells_.clear();
  near_begin_.assign(1, 0);
  std::vector<Cell> all(static_cast<std::size_t>(cells_));
  for (std::size_t q = 0; q < all.size(); ++q) all[q] = static_cast<Cell>(q);
  const std::size_t top = boxes_.size() - 1;
  const std::size_t count = boxes_[top].size() / (2 * d_ + 2);
  for (std::size_t box = 0; box < count; ++box) descend(top, box, costs, reach, all, ticker, visit);
}

template <class Visit>
void PointDistortion::descend(std::size_t level, std::size_t box, std::span<const double> costs, double reach,
                              std::span<const Cell> cells, Ticker& ticker, Visit& visit) {
  ticker.tick(0);
  std::vector<Cell> kept;
  keep_near(level, box, costs, reach, cells, kept);
  if (level == 0) {
    near_cells_.insert(near_cells_.end(), kept.begin(), kept.end());
    near_begin_.push_back(near_cells_.size());
    look_over(box, costs, kept, visit);
    return;
  }
  const std::size_t below = boxes_[level - 1].size() / (2 * d_ + 2);
  for (std::size_t child = box * fan; child < std::min(below, (box + 1) * fan); ++child)
    descend(level - 1, child, costs, reach, kept, ticker, visit);
}

template <class Visit>
void PointDistortion::look_over(std::size_t b, std::span<const double> costs, std::span<const Cell> cells, Visit& visit) {
  const std::size_t end = std::min(row_at_.size(), (b + 1) * block);
  bids_.resize(cells.size());
  for (std::size_t place = b * block; place < end; ++place) {
    std::size_t least = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const double distortion = (*this)(static_cast<Row>(place), cells[i]);
      bids_[i] = {distortion + costs[static_cast<std::size_t>(cells[i])], distortion, cells[i]};
      if (bids_[i].value < bids_[least].value) least = i;
    }
    visit(static_cast<Row>(place), std::span<const Bid>(bids_), least);
  }
}

}  // namespace covey
