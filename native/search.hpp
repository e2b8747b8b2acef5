// How the nearest and farthest records are found, chosen so that the faster way runs.
#pragma once

#include <algorithm>
#include <thread>
#include <vector>

#include "average.hpp"
#include "flat.hpp"
#include "poll.hpp"
#include "tree.hpp"

namespace covey {

// Which index answers the queries. The answers are the same.
enum class Search : std::uint8_t { automatic, tree, flat };

struct Options {
  Row k;
  Search search = Search::automatic;
  int threads = 0;  // 0: as many as help; two are the most that ever do
};

// Where the two take equally long, as benchmarks/bench_mdav.py shows: 2,400 records of 3 columns, 16,000 of 20.
inline bool prefers_flat(const Space& space) { return space.n < std::int64_t{800} * space.d(); }

// Handing a task over costs about as much as a query in few columns; the same benchmark shows where it pays.
inline bool two_threads(const Options& options, const Space& space) {
  if (options.threads != 0) return options.threads > 1;
  return std::thread::hardware_concurrency() > 1 && space.d() >= 8 && space.n >= 20'000;
}

inline bool exact_masks(const Records& records) {
  return std::all_of(records.columns.begin(), records.columns.end(),
                     [](const ColumnAverage& column) { return column.kind != Average::mode || column.levels <= 64; });
}

// Calls `step` with an index of the records.
template <class Step>
void with_index(const Records& records, Search search, Ticker& ticker, Step&& step) {
  const bool flat = search == Search::automatic ? prefers_flat(records.space) : search == Search::flat;
  if (flat) {
    Flat left(records.space);
    step(left);
  } else {
    Tree left(records.space, exact_masks(records), ticker);
    step(left);
  }
}

}  // namespace covey
