// Cells that records move between: who is in them, where they lie, and what they fall short of.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cells.hpp"
#include "nearest_cells.hpp"
#include "shortfall.hpp"
#include "space.hpp"

namespace covey {

using Shortfalls = std::vector<std::shared_ptr<const Shortfall>>;

// What may be done about a cell.
struct Step {
  Row other;           // the cell that it is done with; merged with it if no record goes either way
  Row out, into;       // the record that goes there, and the one that comes; no_row for none
  double cost;         // by how much the sum of squared errors grows
  double gain;         // by how much the shortfall of both cells falls

  double price() const { return cost / gain; }
  bool merges() const { return out == no_row && into == no_row; }
};

// Squared errors are those of the points of `space`, all of its columns numeric, about the means of the cells.
// Scratch: a row, and two a criterion, a record; a mean, and what the criteria keep, a cell.
class MendedCells {
 public:
  // Labels are 0, 1, … of cells that each have a record. With more cells than `scanned` a tree finds neighbours.
  MendedCells(const Space& space, std::span<const Label> labels, Row k, Shortfalls shortfalls, Row scanned, Ticker& ticker);

  const Space& space() const { return space_; }
  Row k() const { return k_; }
  const Shortfalls& shortfalls() const { return shortfalls_; }
  Row count() const { return static_cast<Row>(members_.size()); }
  Row alive() const { return near_.alive(); }
  bool alive(Row cell) const { return !members(cell).empty(); }
  std::span<const Row> members(Row cell) const { return members_[static_cast<std::size_t>(cell)]; }
  Row size(Row cell) const { return static_cast<Row>(members(cell).size()); }
  std::span<const double> mean(Row cell) const { return near_.mean(cell); }
  double shortfall(Row cell) const { return short_[static_cast<std::size_t>(cell)]; }
  const Tally& tally(std::size_t criterion, Row cell) const { return tallies_[criterion][static_cast<std::size_t>(cell)]; }

  const std::vector<Hit>& near(Row cell, int count) { return near_.near(cell, count); }
  void take(Row cell, const Step& step);

  // Those that fall short, in ascending order.
  std::vector<Row> failing() const;
  // The cell of each record, cells numbered by their lowest records.
  std::vector<Label> labels() const;
  double squared_errors() const;

 private:
  void changed(Row cell);
  void count_anew(Row cell);

  Space space_;
  Row k_;
  Shortfalls shortfalls_;
  std::vector<std::vector<Row>> members_;
  std::vector<std::vector<Tally>> tallies_;   // of each criterion, of each cell
  std::vector<double> short_;
  NearestCells near_;
};

}  // namespace covey
