#include "schedule.hpp"

#include <algorithm>
#include <cmath>

namespace covey {

Round Schedule::next() {
  slow_ = round_ >= first_quick && slow_sweeps_ <= quick_sweeps_;
  if (slow_) {
    const std::int64_t sweeps = next_slow_;
    slow_sweeps_ += sweeps;
    next_slow_ = std::min(sweeps * 3, std::int64_t{1} << 40U);
    return {sweeps, 0.4, true};
  }
  level_ = choose();
  const std::int64_t sweeps = std::int64_t{64} << std::min<std::size_t>(round_++, 5);
  quick_sweeps_ += sweeps;
  return {sweeps, std::ldexp(1.28, -static_cast<int>(level_)), false};
}

std::size_t Schedule::choose() const {
  if (round_ < 2 * levels || round_ % 2 == 0) return (round_ / 2 + 3) % levels;
  return static_cast<std::size_t>(std::max_element(paid_.begin(), paid_.end()) - paid_.begin());
}

void Schedule::pay(double gain) {
  if (!slow_) paid_[level_] = 0.5 * (paid_[level_] + gain);
}

}  // namespace covey
