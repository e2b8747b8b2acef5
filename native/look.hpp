// A cell and some others: the best of everything that could be done between them.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "mended_cells.hpp"

namespace covey {

// To mend: what lowers the shortfall at the least price, of which merging is always something. To merge: of mergers only.
// To descend: what lowers the squared errors most, of moves and exchanges after which nothing falls short.
enum class Aim : std::uint8_t { mend, merge, descend };

// Steps are looked at in the order of a table: a line for each record x of the cell, a column for each record y of the
// others, in their order. Exchanges come first, then records that come, then records that go, then mergers; of several
// equally good steps the first is taken. A shortfall is counted only where the cost leaves the step a chance.
// Time: O(s²·d) for each other cell, of cells of s records; of large cells 64 records take part. Scratch: a look's records.
class Look {
 public:
  // To descend, the squared errors must fall by more than `least_fall`.
  explicit Look(const MendedCells& cells, double least_fall = 0.0) : cells_(cells), least_fall_(least_fall) {}

  std::optional<Step> best(Row cell, std::span<const Hit> others, Aim aim);

 private:
  struct Other {
    Row cell;
    double size, before;              // `before`: what both cells fall short of
    std::size_t begin, end;           // of its columns
    double fixed, by_along, by_square;  // what costs are made of
  };
  struct Best {
    double value;
    std::optional<Step> step;
  };

  void gather(std::span<const Hit> others);
  void movers(Row cell, std::span<const double> centre);
  std::optional<Step> merger();
  std::optional<Step> exchange(Aim aim);
  std::optional<Step> best_of(bool out, bool into, Aim aim);
  void lay_out(bool out, bool into);
  void weigh(Other& other, bool out, bool into) const;
  void line_of(Row x);
  void offer(Best& best, Row x, std::size_t column, const Other& other, Aim aim) const;
  double after(Row x, Row y, Row other, Aim aim) const;
  const double* sums(const Other& other) const { return sums_.data() + static_cast<std::size_t>(&other - others_.data()) * d_; }

  const MendedCells& cells_;
  double least_fall_;
  std::size_t d_ = 0;
  Row cell_ = no_row;
  double own_size_ = 0.0;
  std::vector<Other> others_;
  std::vector<Row> x_;                       // records that may leave the cell
  std::vector<Row> y_;                       // records that may come, other by other
  std::vector<std::size_t> ends_;            // where those of each end
  std::vector<double> sums_;                 // of the others' records, about the mean of the cell
  std::vector<Row> columns_;                 // the records of the columns; no_row for none
  std::vector<double> coordinates_, along_;  // where they lie about the mean of the cell, column after column of the data
  std::vector<double> point_, squares_, costs_;
  std::vector<Row> moving_;
  std::vector<Hit> by_distance_;
  mutable Tally both_;
};

}  // namespace covey
