// How long a search may go on: for so many steps, or for so many seconds.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

#include "poll.hpp"
#include "space.hpp"

namespace covey {

// Steps if there are any to count, or else seconds.
struct Budget {
  std::int64_t steps;  // negative: as many as there is time for
  double seconds;
};

// A poll throws this to end a search that is to keep what it has found.
struct Stopped {};

// Counts steps, looks at the clock now and then, and tells the caller how far the search is, as records done of n.
class Effort {
 public:
  Effort(Budget budget, Row n, Ticker& ticker) : budget_(budget), n_(n), ticker_(ticker) { look(); }

  void spend(std::int64_t steps) {
    done_ += steps;
    if (done_ >= next_) look();
  }
  bool spent() const { return spent_; }
  // How many steps may be taken before the next look at the clock; at least one.
  std::int64_t until_look() const { return std::max<std::int64_t>(next_ - done_, 1); }
  std::int64_t steps() const { return done_; }

  // The steps that are left, as far as the clock tells by now.
  std::int64_t left() const {
    if (budget_.steps >= 0) return std::max<std::int64_t>(budget_.steps - done_, 0);
    const double elapsed = seconds();
    const double rate = static_cast<double>(done_) / std::max(elapsed, 1e-6);
    const double steps = rate * std::max(budget_.seconds - elapsed, 0.0);
    return steps < 1e18 ? static_cast<std::int64_t>(steps) : std::numeric_limits<std::int64_t>::max();
  }
  bool by_the_clock() const { return budget_.steps < 0; }

 private:
  using Clock = std::chrono::steady_clock;

  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

  void look() {
    constexpr std::int64_t between = 2048;
    const double part = by_the_clock() ? seconds() / budget_.seconds
                                       : static_cast<double>(done_) / static_cast<double>(std::max<std::int64_t>(budget_.steps, 1));
    spent_ = by_the_clock() ? !(part < 1.0) : done_ >= budget_.steps;
    next_ = by_the_clock() ? done_ + between : std::min(done_ + between, std::max(budget_.steps, done_ + 1));
    ticker_.tick(static_cast<std::int64_t>(std::min(part, 1.0) * n_));
  }

  Budget budget_;
  Row n_;
  Ticker& ticker_;
  Clock::time_point begin_ = Clock::now();
  std::int64_t done_ = 0, next_ = 0;
  bool spent_ = false;
};

}  // namespace covey
