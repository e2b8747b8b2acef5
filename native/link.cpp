#include "link.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

#include "tree.hpp"

namespace covey {
namespace {

// At a time: few enough that a stop is soon heard even where a query looks at all records.
constexpr std::size_t batch = 16;

}  // namespace

std::vector<Tied> link(const Space& records, bool exact_masks, std::span<const std::int64_t> counts,
                       std::span<const double> queries, int threads, Ticker& ticker) {
  const auto d = static_cast<std::size_t>(records.d());
  const Tree tree(records, exact_masks, ticker);
  std::vector<Tied> found(queries.size() / d);
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stopped{false};
  const auto work = [&](Ticker* listening) {
    for (std::size_t begin; !stopped && (begin = next.fetch_add(batch)) < found.size();) {
      for (std::size_t i = begin; i < std::min(begin + batch, found.size()); ++i)
        found[i] = tree.nearest_tied(queries.data() + i * d, counts);
      if (listening != nullptr) listening->tick(static_cast<std::int64_t>(begin));
    }
  };
  std::vector<std::jthread> helpers;  // joined on every way out
  for (int i = 1; i < threads; ++i) helpers.emplace_back(work, nullptr);
  try {
    work(&ticker);
  } catch (...) {
    stopped = true;
    throw;
  }
  return found;
}

}  // namespace covey
