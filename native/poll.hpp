// Lets the caller see how far a kernel has come, and stop it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

namespace covey {

// Called with the records done and the records in all; stops the kernel by throwing.
using Poll = std::function<void(std::int64_t done, std::int64_t total)>;

// Calls a poll some twenty times a second, and at the end, from the thread that runs the kernel.
class Ticker {
 public:
  Ticker(Poll poll, std::int64_t total) : poll_(std::move(poll)), total_(total) {}

  void tick(std::int64_t done) {
    if (!poll_) return;
    const auto now = Clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(50);
    poll_(done, total_);
  }

  void finish() {
    if (poll_) poll_(total_, total_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  Poll poll_;
  std::int64_t total_;
  Clock::time_point next_ = Clock::now() + std::chrono::milliseconds(50);
};

}  // namespace covey
