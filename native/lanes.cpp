#include "lanes.hpp"

#include <limits>

#include "clones.hpp"

namespace covey {
namespace {

using Half = double __attribute__((vector_size(64), aligned(8), may_alias));
using HalfBits = std::int64_t __attribute__((vector_size(64), aligned(8), may_alias));
constexpr int half = lanes / 2;

#define LOAD(p) (*reinterpret_cast<const Half*>(p))
#define LOAD_BITS(p) (*reinterpret_cast<const HalfBits*>(p))
#define STORE(p, v) (*reinterpret_cast<Half*>(p) = (v))

// Every clone takes these in, so that they are compiled for its instruction set.
#define COVEY_INLINE inline __attribute__((always_inline))

COVEY_INLINE void distances(const double* block, const double* q, int numeric, int nominal, double* out) {
  Half a = LOAD(block), b = LOAD(block + half);
  const double* column = block + lanes;
  for (int j = 0; j < numeric; ++j, column += lanes) {
    const Half s = LOAD(column) - q[j], t = LOAD(column + half) - q[j];
    a += s * s;
    b += t * t;
  }
  for (int j = numeric; j < numeric + nominal; ++j, column += lanes) {
    const Half one = Half{} + 1.0;
    a += LOAD(column) != q[j] ? one : Half{};
    b += LOAD(column + half) != q[j] ? one : Half{};
  }
  STORE(out, a);
  STORE(out + half, b);
}

COVEY_INLINE unsigned at_most(const double* values, double limit) {
  unsigned bits = 0;
  for (int l = 0; l < lanes; ++l) bits |= static_cast<unsigned>(values[l] <= limit) << l;
  return bits;
}

COVEY_INLINE unsigned at_least(const double* values, double limit) {
  unsigned bits = 0;
  for (int l = 0; l < lanes; ++l) bits |= static_cast<unsigned>(values[l] >= limit) << l;
  return bits;
}

// The greatest (sign 1) or least (sign −1) value of 2(x−c)·(q−c) that the sides of the boxes allow.
COVEY_INLINE void along_offset(const double* sides, const Target& target, double sign, Half& a, Half& b) {
  a = b = Half{};
  for (int j = 0; j < target.numeric; ++j, sides += 2 * lanes) {
    const double offset = target.offset[j];
    const double* side = sign * offset > 0.0 ? sides + lanes : sides;
    a += (LOAD(side) - target.centre[j]) * offset;
    b += (LOAD(side + half) - target.centre[j]) * offset;
  }
  a += a;
  b += b;
}

// The least of `low` and the greatest of `high` among the live lanes.
COVEY_INLINE void extent_of(const double* marks, const double* low, const double* high, double& least, double& greatest) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  least = infinity;
  greatest = -infinity;
  for (int l = 0; l < lanes; ++l) {
    const bool live = marks[l] == 0.0;
    const double a = live ? low[l] : infinity, b = live ? high[l] : -infinity;
    least = a < least ? a : least;
    greatest = b > greatest ? b : greatest;
  }
}

}  // namespace

COVEY_CLONES
unsigned within(const double* block, const double* q, int numeric, int nominal, double limit, double* out) {
  distances(block, q, numeric, nominal, out);
  return at_most(out, limit);
}

COVEY_CLONES
unsigned beyond(const double* block, const double* q, int numeric, int nominal, double limit, double* out) {
  distances(block, q, numeric, nominal, out);
  return at_least(out, limit);
}

COVEY_CLONES
unsigned boxes_within(const double* group, const std::uint64_t* masks, const Target& target, double limit, double* out) {
  const Half zero = Half{}, one = zero + 1.0;
  Half a = LOAD(group), b = LOAD(group + half);
  const double* sides = group + lanes;
  for (int j = 0; j < target.numeric; ++j, sides += 2 * lanes) {
    const double q = target.q[j];
    const Half below_a = LOAD(sides) - q, below_b = LOAD(sides + half) - q;
    const Half above_a = q - LOAD(sides + lanes), above_b = q - LOAD(sides + lanes + half);
    Half gap_a = below_a > above_a ? below_a : above_a, gap_b = below_b > above_b ? below_b : above_b;
    gap_a = gap_a > zero ? gap_a : zero;
    gap_b = gap_b > zero ? gap_b : zero;
    a += gap_a * gap_a;
    b += gap_b * gap_b;
  }
  if (target.by_centre) {
    Half along_a, along_b;
    along_offset(group + lanes, target, 1.0, along_a, along_b);
    const double rest = target.norm - target.slack;
    const Half other_a = LOAD(sides) - along_a + rest, other_b = LOAD(sides + half) - along_b + rest;
    a = other_a > a ? other_a : a;  // keeps the mark of a dead box, for nothing is greater than NaN
    b = other_b > b ? other_b : b;
  }
  for (int j = 0; j < target.nominal; ++j, masks += lanes) {
    const auto bit = static_cast<std::int64_t>(category_bit(target.q[target.numeric + j]));
    a += (LOAD_BITS(masks) & bit) != 0 ? zero : one;
    b += (LOAD_BITS(masks + half) & bit) != 0 ? zero : one;
  }
  STORE(out, a);
  STORE(out + half, b);
  return at_most(out, limit);
}

COVEY_CLONES
unsigned boxes_beyond(const double* group, const std::uint64_t* masks, const Target& target, double limit, double* out) {
  const Half zero = Half{}, one = zero + 1.0;
  Half a = LOAD(group), b = LOAD(group + half);
  const double* sides = group + lanes;
  for (int j = 0; j < target.numeric; ++j, sides += 2 * lanes) {
    const double q = target.q[j];
    const Half from_low_a = q - LOAD(sides), from_low_b = q - LOAD(sides + half);
    const Half from_high_a = LOAD(sides + lanes) - q, from_high_b = LOAD(sides + lanes + half) - q;
    const Half reach_a = from_low_a > from_high_a ? from_low_a : from_high_a;
    const Half reach_b = from_low_b > from_high_b ? from_low_b : from_high_b;
    a += reach_a * reach_a;
    b += reach_b * reach_b;
  }
  if (target.by_centre) {
    Half along_a, along_b;
    along_offset(group + lanes, target, -1.0, along_a, along_b);
    const double rest = target.norm + target.slack;
    const Half other_a = LOAD(sides + lanes) - along_a + rest, other_b = LOAD(sides + lanes + half) - along_b + rest;
    a = other_a < a ? other_a : a;
    b = other_b < b ? other_b : b;
  }
  for (int j = 0; j < target.nominal; ++j, masks += lanes) {
    const auto bit = target.exact_masks ? static_cast<std::int64_t>(category_bit(target.q[target.numeric + j])) : 0;
    a += LOAD_BITS(masks) == bit ? zero : one;
    b += LOAD_BITS(masks + half) == bit ? zero : one;
  }
  STORE(out, a);
  STORE(out + half, b);
  return at_least(out, limit);
}

COVEY_CLONES
void extent_of_norms(const double* block, const double* centre, int numeric, double& least, double& greatest) {
  Half a{}, b{};
  const double* column = block + lanes;
  for (int j = 0; j < numeric; ++j, column += lanes) {
    const Half s = LOAD(column) - centre[j], t = LOAD(column + half) - centre[j];
    a += s * s;
    b += t * t;
  }
  alignas(64) double norms[lanes];
  STORE(norms, a);
  STORE(norms + half, b);
  extent_of(block, norms, norms, least, greatest);
}

COVEY_CLONES
void extent(const double* marks, const double* low, const double* high, double& least, double& greatest) {
  extent_of(marks, low, high, least, greatest);
}

}  // namespace covey
