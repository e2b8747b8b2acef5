// Sums and products in pairs of doubles: about 31 decimal digits.
#pragma once

#include <cmath>

namespace covey {

// The unevaluated sum high + low. Needs -ffp-contract=off. Reference: T. J. Dekker, "A floating-point technique for
// extending the available precision".
struct DoubleDouble {
  double high = 0.0, low = 0.0;
};

inline DoubleDouble quick_two_sum(double a, double b) {
  const double sum = a + b;
  return {sum, b - (sum - a)};
}

inline DoubleDouble two_sum(double a, double b) {
  const double sum = a + b, part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

inline DoubleDouble two_product(double a, double b) {
  constexpr double splitter = 134217729.0;  // 2²⁷ + 1
  const double ca = splitter * a, cb = splitter * b;
  const double ah = ca - (ca - a), bh = cb - (cb - b);
  const double al = a - ah, bl = b - bh, product = a * b;
  return {product, ((ah * bh - product) + ah * bl + al * bh) + al * bl};
}

inline DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble high = two_sum(a.high, b.high), low = two_sum(a.low, b.low);
  const DoubleDouble sum = quick_two_sum(high.high, high.low + low.high);
  return quick_two_sum(sum.high, sum.low + low.low);
}

inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + DoubleDouble{-b.high, -b.low}; }

inline DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  const DoubleDouble product = two_product(a.high, b.high);
  return quick_two_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

inline DoubleDouble operator/(DoubleDouble a, double b) {
  const double quotient = a.high / b;
  const DoubleDouble rest = a - two_product(quotient, b);
  return quick_two_sum(quotient, rest.high / b);
}

inline bool operator<(DoubleDouble a, DoubleDouble b) { return a.high < b.high || (a.high == b.high && a.low < b.low); }

}  // namespace covey
