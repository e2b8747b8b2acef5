#include "refine.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "clones.hpp"
#include "descent.hpp"
#include "group.hpp"
#include "means.hpp"
#include "mixed.hpp"
#include "moves.hpp"
#include "neighbours.hpp"
#include "overlay.hpp"
#include "roster.hpp"
#include "schedule.hpp"
#include "split.hpp"

namespace covey {
namespace {

// The records whose cells a record is compared with: more of them, or fewer, do no better on the data sets of
// benchmarks/bench_refine.py.
constexpr Row neighbours = 16;

// The mean squared distance from the nearest few, of each record.
template <class Costs>
std::vector<double> scales_of(const Costs& costs, const Neighbours& near, Row n, Row k) {
  const Row few = std::min(near.count(), std::max(k, Row{2}));
  std::vector<double> scales;
  scales.reserve(static_cast<std::size_t>(n));
  for (Row x = 0; x < n; ++x) {
    double sum = 0.0;
    for (const Row y : near.of(x).first(static_cast<std::size_t>(few))) sum += costs.squared_distance(x, y);
    scales.push_back(sum / few);
  }
  const double mean = std::accumulate(scales.begin(), scales.end(), 0.0) / n;
  for (double& scale : scales) scale = std::max(scale, 1e-9 * mean);
  return scales;
}

// The geometric means of each with the mean of all.
std::vector<double> evened(std::span<const double> scales) {
  const double mean = std::accumulate(scales.begin(), scales.end(), 0.0) / static_cast<double>(scales.size());
  std::vector<double> even;
  for (const double scale : scales) even.push_back(std::sqrt(scale) * std::sqrt(mean));
  return even;
}

// Proposals for one record after another, from x on, for so many steps at least. Returns how many it were.
template <class Costs>
std::int64_t propose_in_turn(Moves<Costs>& moves, Row& x, Row n, double temperature, std::int64_t steps) {
  std::int64_t done = 0;
  while (done < steps) {
    done += moves.propose(x, temperature);
    if (++x == n) x = 0;
  }
  return done;
}
COVEY_CLONES COVEY_FLAT std::int64_t propose(Moves<Means>& moves, Row& x, Row n, double temperature, std::int64_t steps) {
  return propose_in_turn(moves, x, n, temperature, steps);
}
std::int64_t propose(Moves<Mixed>& moves, Row& x, Row n, double temperature, std::int64_t steps) {
  return propose_in_turn(moves, x, n, temperature, steps);
}

template <class Costs>
class Refinement {
 public:
  Refinement(const Records& records, std::span<const Row> order, std::span<const Label> start, Row k, std::uint64_t seed,
             const Neighbours& near)
      : roster_(records.space.n, records.space.n / k + 1, 2 * k - 1),
        costs_(records, order, roster_.cells(), roster_.room()), moves_(roster_, costs_, near, k, seed),
        descent_(roster_, costs_, near, moves_, k), scales_(scales_of(costs_, near, records.space.n, k)),
        even_scales_(evened(scales_)) {
    moves_.scale(scales_);
    take_over(start, std::vector<bool>(start.size(), true));
    keep();
  }

  void run(Effort& effort) {
    descent_.run(effort);
    keep();
    Schedule schedule;
    while (!effort.spent()) {
      const Round round = schedule.next();
      const std::int64_t asked = round.sweeps * roster_.n(), steps = std::min(asked, effort.left());
      if (steps < asked && !effort.by_the_clock()) break;
      anneal(round, steps, effort);
      descent_.run(effort);
      if (effort.spent() && !effort.by_the_clock()) break;
      const double before = sse();
      keep_better();
      schedule.pay((before - sse()) / static_cast<double>(std::max<std::int64_t>(steps, 1)));
    }
  }

  // What is better now than what is kept becomes part of it, and what is not goes back.
  void keep_better() {
    const std::vector<Label> now = labels();
    const std::vector<double> costs = costs_of(now);
    take_over(kept_, Overlay(now, kept_, roster_.cells()).second_is_better(costs, kept_costs_));
    keep();
  }

  Label kept(Row x) const { return kept_[static_cast<std::size_t>(x)]; }

 private:
  // From the temperature of the round down to 0.04, where little moves any more, or to an eighth, in stages of equal
  // length. Slow rounds take the scales of dense and sparse places for less different than they are.
  void anneal(const Round& round, std::int64_t steps, Effort& effort) {
    constexpr int stages = 256;
    double temperature = round.temperature, factor = std::min(1.0 / 8, 0.04 / temperature);
    for (int i = 1; i < stages; i *= 2) factor = std::sqrt(factor);
    moves_.scale(round.slow ? even_scales_ : scales_);
    const std::int64_t begin = effort.steps();
    Row x = 0;
    for (int stage = 1; stage <= stages; ++stage, temperature *= factor) {
      const std::int64_t end = begin + steps / stages * stage;
      while (effort.steps() < end && !effort.spent())
        effort.spend(propose(moves_, x, roster_.n(), temperature, std::min(end - effort.steps(), effort.until_look())));
    }
  }

  std::vector<Label> labels() const {
    std::vector<Label> labels;
    for (Row x = 0; x < roster_.n(); ++x) labels.push_back(roster_.cell(x));
    return labels;
  }

  std::vector<double> costs_of(std::span<const Label> labels) const {
    const Groups groups(labels, roster_.cells());
    std::vector<double> costs;
    for (Label cell = 0; cell < roster_.cells(); ++cell) costs.push_back(costs_.cost(groups.members(cell)));
    return costs;
  }

  void keep() {
    kept_ = labels();
    kept_costs_ = costs_of(kept_);
  }

  double sse() const { return std::accumulate(kept_costs_.begin(), kept_costs_.end(), 0.0); }

  // Some of the records, whole cells both before and after, leave their cells and are put together as these labels say.
  void take_over(std::span<const Label> labels, const std::vector<bool>& chosen) {
    std::vector<Row> cell(static_cast<std::size_t>(roster_.cells()), no_row);
    for (Row x = 0; x < roster_.n(); ++x)
      if (chosen[static_cast<std::size_t>(x)] && roster_.cell(x) != no_row) moves_.leave(x);
    for (Row x = 0; x < roster_.n(); ++x) {
      if (!chosen[static_cast<std::size_t>(x)]) continue;
      Row& to = cell[static_cast<std::size_t>(labels[static_cast<std::size_t>(x)])];
      if (to == no_row) to = roster_.free_cell();
      moves_.join(x, to);
    }
  }

  Roster roster_;
  Costs costs_;
  Moves<Costs> moves_;
  Descent<Costs> descent_;
  std::vector<double> scales_, even_scales_;
  std::vector<Label> kept_;
  std::vector<double> kept_costs_;
};

// Returns whether it was stopped.
template <class Costs>
bool search(const Records& records, Row k, std::uint64_t seed, std::span<Label> labels, Effort& effort, Ticker& ticker) {
  const std::vector<Row> order = nearby_order(records.space);
  const std::vector<Label> split = split_large(records.space, labels, k, ticker);
  std::vector<Label> start;
  for (const Row row : order) start.push_back(split[static_cast<std::size_t>(row)]);
  const Neighbours near(records, order, neighbours, ticker);
  Refinement<Costs> refinement(records, order, start, k, seed, near);
  bool stopped = false;
  try {
    refinement.run(effort);
  } catch (const Stopped&) {
    refinement.keep_better();
    stopped = true;
  }
  for (std::size_t i = 0; i < order.size(); ++i)
    labels[static_cast<std::size_t>(order[i])] = refinement.kept(static_cast<Row>(i));
  return stopped;
}

}  // namespace

bool is_partition(std::span<const Label> labels, Row n, Row k) {
  if (labels.size() != static_cast<std::size_t>(n)) return false;
  std::vector<Row> sizes(labels.size() / static_cast<std::size_t>(k));
  for (const Label label : labels) {
    if (label < 0 || label >= static_cast<Label>(sizes.size())) return false;
    ++sizes[static_cast<std::size_t>(label)];
  }
  while (!sizes.empty() && sizes.back() == 0) sizes.pop_back();
  return std::all_of(sizes.begin(), sizes.end(), [k](Row size) { return size >= k; });
}

Refined refine(const Records& records, Row k, Budget budget, std::uint64_t seed, std::span<Label> labels, Ticker& ticker) {
  if (records.space.n < 2 * std::int64_t{k} || budget.steps == 0) return {0, false};
  const bool means = std::all_of(records.columns.begin(), records.columns.end(),
                                 [](const ColumnAverage& column) { return column.kind == Average::mean; });
  try {
    Effort effort(budget, records.space.n, ticker);
    const bool stopped = (means ? search<Means> : search<Mixed>)(records, k, seed, labels, effort, ticker);
    return {effort.steps(), stopped};
  } catch (const Stopped&) {
    return {0, true};  // before the search began
  }
}

}  // namespace covey
