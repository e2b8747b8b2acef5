// Chance that is the same on every platform.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "space.hpp"

namespace covey {

// SplitMix64. Reference: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators".
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

 private:
  std::uint64_t state_;
};

// One of 0 … count − 1, from the lower half of the bits.
inline Row one_of(Row count, std::uint64_t bits) {
  return static_cast<Row>(((bits & 0xffffffffU) * static_cast<std::uint64_t>(count)) >> 32U);
}

// The rule of Metropolis: what raises the sum by Δ is accepted with probability exp(−Δ/T), that is, while Δ is less than
// T times an exponential draw. Draws come from a table of 1024, filled with sums, products and quotients only, because
// libraries differ in the last bits of their logarithms.
class Metropolis {
 public:
  Metropolis();
  bool accepts(double growth, double temperature, std::uint64_t bits) const {
    return growth < temperature * draws_[bits % draws_.size()];
  }

 private:
  std::array<double, 1024> draws_;
};

}  // namespace covey
