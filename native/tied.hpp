// The least distance found so far, and what the records at just that distance count together.
#pragma once

#include <cstdint>
#include <limits>

namespace covey {

struct Tied {
  double distance = std::numeric_limits<double>::infinity();
  std::int64_t count = 0;

  void offer(double found, std::int64_t counts) {
    if (found < distance) {
      distance = found;
      count = counts;
    } else if (found == distance) {
      count += counts;
    }
  }
};

}  // namespace covey
