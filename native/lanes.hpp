// Sixteen records, or sixteen boxes, at a time: the innermost loops, SIMD across records.
//
// A *block* holds 16 records column by column: first a row of 16 marks (0 for a live record, NaN for a
// dead or absent one), then 16 values for each column. Every sum starts from the mark, so that a dead
// record's distance is NaN and loses every comparison.
// A *group* holds 16 boxes: a row of marks, then for each numeric column 16 lower and 16 upper sides, then
// the least and the greatest squared distance from the centre of the data among the box's records;
// beside it, for each nominal column, 16 sets of categories as 64-bit masks.
#pragma once

#include <cstdint>

#include "space.hpp"

namespace covey {

inline constexpr int lanes = 16;

// Categories are folded into 64 bits; with more of them than that a mask can only exclude.
inline std::uint64_t category_bit(double code) { return std::uint64_t{1} << (static_cast<std::uint64_t>(code) & 63U); }

inline std::size_t block_size(const Space& space) { return static_cast<std::size_t>(1 + space.d()) * lanes; }
inline std::size_t group_size(const Space& space) { return static_cast<std::size_t>(3 + 2 * space.numeric) * lanes; }
inline std::size_t masks_size(const Space& space) { return static_cast<std::size_t>(space.nominal) * lanes; }

// out[l] = squared distance of record l of the block from q; the return value has bit l set where it is
// at most `limit`.
unsigned within(const double* block, const double* q, int numeric, int nominal, double limit, double* out);
// The same with bit l set where it is at least `limit`.
unsigned beyond(const double* block, const double* q, int numeric, int nominal, double limit, double* out);

// A record that boxes are compared with.
struct Target {
  const double* q;
  int numeric, nominal;
  bool exact_masks;  // no nominal column has more categories than a mask has bits
  // For the bound by distances from the centre c: |x−q|² = |x−c|² + |q−c|² − 2(x−c)·(q−c). In many columns it is
  // the better one by far: a box's corners lie much farther out, or in, than any of its records.
  bool by_centre = false;
  const double* centre = nullptr;
  const double* offset = nullptr;  // q − c
  double norm = 0.0;               // |q − c|²
  double slack = 0.0;              // more than all the roundings of this bound
};

// out[l] = a lower bound on the squared distance from q to any record of box l; bits where it is ≤ limit.
// The bound by sides is made of the same roundings as the distance, each of them monotone: it needs no slack.
unsigned boxes_within(const double* group, const std::uint64_t* masks, const Target& target, double limit, double* out);
// out[l] = an upper bound likewise; bits where it is ≥ limit.
unsigned boxes_beyond(const double* group, const std::uint64_t* masks, const Target& target, double limit, double* out);

// The least and greatest squared distance from the centre among the live lanes of a block.
void extent_of_norms(const double* block, const double* centre, int numeric, double& least, double& greatest);
// The least and greatest value among the live lanes of one column (+inf and −inf when there are none).
void extent(const double* marks, const double* low, const double* high, double& least, double& greatest);

}  // namespace covey
