#include "chance.hpp"

#include <cmath>

namespace covey {
namespace {

// 2·artanh(z) = Σ 2z^(2i+1)/(2i+1), for 0 ≤ z ≤ 1/3.
double twice_artanh(double z) {
  double power = z, sum = 0.0;
  for (int i = 0; i < 20; ++i, power *= z * z) sum += power / (2 * i + 1);
  return 2.0 * sum;
}

// −ln u, for 0 < u < 1: u = m·2^e, ½ ≤ m < 1.
double minus_logarithm(double u) {
  int e = 0;
  const double m = std::frexp(u, &e);
  return twice_artanh((1.0 - m) / (1.0 + m)) - e * twice_artanh(1.0 / 3.0);
}

}  // namespace

Metropolis::Metropolis() : draws_() {
  for (std::size_t i = 0; i < draws_.size(); ++i)
    draws_[i] = minus_logarithm((static_cast<double>(i) + 0.5) / static_cast<double>(draws_.size()));
}

}  // namespace covey
