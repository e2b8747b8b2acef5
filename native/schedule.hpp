// Which rounds a search consists of: how long they are, and how warm they begin.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace covey {

// A round goes through the records so often, and cools down from this temperature.
struct Round {
  std::int64_t sweeps;
  double temperature;
  bool slow;
};

// Quick rounds make the partition better here and there; slow ones, each three times as long as the one before and as
// long in all as the quick ones, build it anew. Quick ones begin at eight temperatures, by turns; every other one at that
// which has paid best of late. The first four are quick, and quick ones are short in the beginning.
//
// The numbers were found by trial on the data sets of benchmarks/bench_refine.py at 100 to 800 million steps.
class Schedule {
 public:
  Round next();
  // What the round that came last has gained a step, of the sum of squared errors.
  void pay(double gain);

 private:
  static constexpr std::size_t levels = 8, first_quick = 4;

  std::size_t choose() const;

  std::size_t round_ = 0, level_ = 0;
  std::int64_t next_slow_ = 256, slow_sweeps_ = 0, quick_sweeps_ = 0;
  bool slow_ = false;
  std::array<double, levels> paid_{};
};

}  // namespace covey
