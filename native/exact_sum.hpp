// A sum of doubles that never rounds: add and take away as often as you like, in any order.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace covey {

__extension__ using Wide = unsigned __int128;

// The sum is kept as an integer of base-2³² digits in units of the smallest bit that any of the values can
// have. Digits are 64 bits wide and carries wait until the value is asked for, so 2³¹ terms fit.
// Time: O(1) a term. Memory: one digit for each 32 binary orders of magnitude that the values span.
class ExactSum {
 public:
  // Room for sums of values whose nonzero magnitudes lie between `least` and `greatest`.
  ExactSum(double least, double greatest) : lowest_(exponent(least)) {
    const int span = exponent(greatest) - lowest_ + 53;
    digits_.assign(static_cast<std::size_t>(span / 32 + 3), 0);
    carried_.resize(digits_.size());
  }

  void add(double x) { accumulate(x, 1); }
  void subtract(double x) { accumulate(x, -1); }

  // The double nearest to the exact sum, ties to even.
  double value() const {
    carried_ = digits_;
    const bool negative = carry();
    if (negative) {
      for (auto& digit : carried_) digit = -digit;
      carry();
    }
    int top = static_cast<int>(carried_.size()) - 1;
    while (top > 0 && carried_[static_cast<std::size_t>(top)] == 0) --top;
    const int low = std::max(0, top - 2);
    Wide leading = 0;
    for (int i = top; i >= low; --i) leading = (leading << 32U) | static_cast<std::uint64_t>(carried_[static_cast<std::size_t>(i)]);
    for (int i = 0; i < low; ++i) leading |= carried_[static_cast<std::size_t>(i)] != 0 ? 1U : 0U;
    const double magnitude = std::ldexp(static_cast<double>(leading), lowest_ + 32 * low);
    return negative ? -magnitude : magnitude;
  }

 private:
  // The exponent of the last bit of a double's significand.
  static int exponent(double x) {
    const auto field = static_cast<int>((std::bit_cast<std::uint64_t>(x) >> 52U) & 0x7ffU);
    return std::max(field, 1) - 1075;
  }

  void accumulate(double x, std::int64_t sign) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const auto field = static_cast<int>((bits >> 52U) & 0x7ffU);
    const std::uint64_t significand = (bits & 0xfffffffffffffU) | (field != 0 ? 0x10000000000000U : 0U);
    if (significand == 0) return;
    const auto offset = static_cast<unsigned>(std::max(field, 1) - 1075 - lowest_);
    const Wide shifted = static_cast<Wide>(significand) << (offset % 32U);
    const std::int64_t signed_unit = (bits >> 63U) != 0 ? -sign : sign;
    std::int64_t* digit = digits_.data() + offset / 32U;
    digit[0] += signed_unit * static_cast<std::int64_t>(static_cast<std::uint64_t>(shifted) & 0xffffffffU);
    digit[1] += signed_unit * static_cast<std::int64_t>(static_cast<std::uint64_t>(shifted >> 32U) & 0xffffffffU);
    digit[2] += signed_unit * static_cast<std::int64_t>(static_cast<std::uint64_t>(shifted >> 64U));
  }

  // Carries through carried_; true when the number is negative.
  bool carry() const {
    for (std::size_t i = 0; i + 1 < carried_.size(); ++i) {
      carried_[i + 1] += carried_[i] >> 32;
      carried_[i] &= 0xffffffff;
    }
    return carried_.back() < 0;
  }

  int lowest_;
  std::vector<std::int64_t> digits_;
  mutable std::vector<std::int64_t> carried_;
};

}  // namespace covey
