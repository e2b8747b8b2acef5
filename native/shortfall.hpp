// How far a cell is from meeting a criterion, and how far it would be if a record came, went or changed places.
//
// A shortfall is 0 where the criterion is met. All of them are convex in the shares of the values, so that the shortfall
// of a union is no greater than the greater of its parts', and two cells of which one fails fall short of less when they
// are merged.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "space.hpp"

namespace covey {

// A value of a confidential column, in the order of the values if there is one.
using Code = std::int32_t;
inline constexpr Code no_code = -1;

// The values that occur in a cell.
struct Tally {
  std::vector<Code> values;     // ascending
  std::vector<Row> counts;      // how often each occurs
  Row size = 0;                 // how many records there are
  std::vector<double> sums;     // what a criterion has summed up of them, once `prepare` was called
  std::vector<Row> ranks;       // what it has counted of them, then

  Row of(Code code) const;      // how often this one occurs
};

// Both together.
void unite(const Tally& a, const Tally& b, Tally& both);

class Shortfall {
 public:
  explicit Shortfall(std::vector<Code> codes) : codes_(std::move(codes)) {}
  Shortfall(const Shortfall&) = delete;
  Shortfall& operator=(const Shortfall&) = delete;
  virtual ~Shortfall() = default;

  std::size_t n() const { return codes_.size(); }
  Code code(Row record) const { return codes_[static_cast<std::size_t>(record)]; }

  // Counts the values of some records. Time: O(s log s) of s records.
  void count(std::span<const Row> members, Tally& tally) const;
  // Sums up what `changed` needs.
  virtual void prepare(Tally&) const {}

  virtual double whole(const Tally& tally) const = 0;
  // After a record with the value `out` left and one with `into` came; either may be `no_code`. Time: O(log s).
  virtual double changed(const Tally& tally, Code out, Code into) const = 0;

 private:
  std::vector<Code> codes_;
};

// At least p different values.
std::shared_ptr<const Shortfall> distinct_shortfall(std::vector<Code> codes, double p);
// An entropy of at least log2 l bits.
std::shared_ptr<const Shortfall> entropy_shortfall(std::vector<Code> codes, double l);
// r₁ < c·(r_l + … + r_m), where r₁ ≥ r₂ ≥ … are the frequencies of the values.
std::shared_ptr<const Shortfall> recursive_shortfall(std::vector<Code> codes, double c, Row l);
// At most t from the shares that values have in the whole table, all values being equally far apart.
std::shared_ptr<const Shortfall> equal_shortfall(std::vector<Code> codes, double t, std::vector<double> shares);

// What the whole table's values are like that lie on a line.
struct Line {
  std::vector<double> reached;  // the distribution function at each value
  std::vector<double> under;    // the area under it from the first value up to each
  std::vector<double> places;   // where each lies, from 0 to 1
};
// At most t from the whole table in earth mover's distance.
std::shared_ptr<const Shortfall> ordered_shortfall(std::vector<Code> codes, double t, Line line);

// Shortfalls below this are rounding; criteria.TOLERANCE, by which the output is recounted, is ten times that.
inline constexpr double rounding = 1e-10;
inline double unless_rounding(double shortfall) { return shortfall > rounding ? shortfall : 0.0; }
// How many more records there are after a change.
inline Row growth_of(Code out, Code into) { return (into != no_code ? 1 : 0) - (out != no_code ? 1 : 0); }

}  // namespace covey
