// The few nearest records found so far, worst on top.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "space.hpp"

namespace covey {

class Nearest {
 public:
  explicit Nearest(int count) : count_(static_cast<std::size_t>(count)) { hits_.reserve(count_ + 1); }

  // A record farther than this cannot be among the nearest; one at this distance can, by its row.
  double limit() const {
    if (count_ == 0) return -1.0;
    return hits_.size() < count_ ? std::numeric_limits<double>::infinity() : hits_.front().distance;
  }

  // False if it is not among the nearest.
  bool offer(Hit hit) {
    if (hits_.size() < count_) {
      hits_.push_back(hit);
    } else if (count_ > 0 && nearer(hit, hits_.front())) {
      std::pop_heap(hits_.begin(), hits_.end(), nearer);
      hits_.back() = hit;
    } else {
      return false;
    }
    std::push_heap(hits_.begin(), hits_.end(), nearer);
    return true;
  }

  // Nearest first. Call once, when the search is over.
  const std::vector<Hit>& sorted() {
    std::sort_heap(hits_.begin(), hits_.end(), nearer);
    return hits_;
  }

 private:
  std::size_t count_;
  std::vector<Hit> hits_;
};

}  // namespace covey
