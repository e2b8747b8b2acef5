// Numbers by pairs of cells.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "distortion.hpp"

namespace covey {

// A number for each ordered pair of cells that has been given one: a hash table of open addressing.
class PairNumbers {
 public:
  void clear() {
    entries_.assign(std::max<std::size_t>(entries_.size(), 64), Entry{});
    count_ = 0;
  }

  // The number of the pair; `number` from now on if it has none.
  std::size_t find_or_put(Cell from, Cell to, std::size_t number) {
    if (2 * (count_ + 1) > entries_.size()) grow();
    const std::uint64_t pair = key(from, to);
    Entry& entry = entries_[place(pair)];
    if (entry.pair == none) {
      entry = {pair, number};
      ++count_;
    }
    return entry.number;
  }

 private:
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  struct Entry {
    std::uint64_t pair = none;
    std::size_t number = 0;
  };

  static std::uint64_t key(Cell from, Cell to) {
    return static_cast<std::uint64_t>(from) << 32U | static_cast<std::uint32_t>(to);
  }
  std::size_t place(std::uint64_t pair) const {
    const std::size_t mask = entries_.size() - 1;
    std::size_t at = static_cast<std::size_t>((pair * 0x9e3779b97f4a7c15U) >> 32U) & mask;
    while (entries_[at].pair != none && entries_[at].pair != pair) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    std::vector<Entry> old(2 * entries_.size());
    old.swap(entries_);
    for (const Entry& entry : old)
      if (entry.pair != none) entries_[place(entry.pair)] = entry;
  }

  std::vector<Entry> entries_;
  std::size_t count_ = 0;
};

}  // namespace covey
