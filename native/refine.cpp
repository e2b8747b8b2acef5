#include "refine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <vector>

#include "descent.hpp"
#include "group.hpp"
#include "means.hpp"
#include "mixed.hpp"
#include "moves.hpp"
#include "neighbours.hpp"
#include "overlay.hpp"
#include "roster.hpp"
#include "split.hpp"

#ifdef LAB
#include <cstdio>
#include <cstdlib>
static double knob(const char* name, double value) { const char* s = std::getenv(name); return s ? std::atof(s) : value; }
#else
#define knob(name, value) value
#endif

namespace covey {
namespace {

// How warm the rounds begin: powers of two, of which those that have paid are taken more often.
class Warmth {
 public:
  static constexpr std::size_t levels = 8;

  // Every other round goes by turns, the others to the level that has paid best of late.
  std::size_t choose() {
    const std::size_t round = round_++;
    if (round % 2 == 0 || round < 2 * levels) return round % 2 == 0 ? (round / 2 + 3) % levels : (round / 2 + 3) % levels;
    return static_cast<std::size_t>(std::max_element(paid_.begin(), paid_.end()) - paid_.begin());
  }
  void pay(std::size_t level, double gain) { paid_[level] = 0.5 * (paid_[level] + gain); }
  static double temperature(std::size_t level) { return std::ldexp(knob("TOP", 1.28), -static_cast<int>(level)); }

 private:
  std::size_t round_ = 0;
  std::array<double, levels> paid_{};
};

// The mean squared distance from the nearest few, of each record.
template <class Costs>
std::vector<double> scales_of(const Costs& costs, const Neighbours& near, Row n, Row k) {
  const Row few = std::min(near.count(), std::max(k, Row{2}));
  std::vector<double> scales;
  for (Row x = 0; x < n; ++x) {
    double sum = 0.0;
    for (const Row y : near.of(x).first(static_cast<std::size_t>(few))) sum += costs.squared_distance(x, y);
    scales.push_back(sum / few);
  }
  const double mean = std::accumulate(scales.begin(), scales.end(), 0.0) / n;
  for (double& scale : scales) scale = std::max(scale, 1e-9 * mean);
  return scales;
}

template <class Costs>
class Refinement {
 public:
  Refinement(const Records& records, std::span<const Row> order, std::span<const Label> start, Row k, std::uint64_t seed,
             const Neighbours& near)
      : near_(near), roster_(records.space.n, records.space.n / k + 1, records.space.n < 2 * k ? records.space.n : 2 * k - 1),
        costs_(records, order, roster_.cells(), roster_.room()), moves_(roster_, costs_, near, k, seed),
        descent_(roster_, costs_, near, moves_, k) {
    moves_.scale(scales_of(costs_, near, records.space.n, k));
    take_over(start, std::vector<bool>(start.size(), true));
    keep();
  }

  void run(Effort& effort) {
    descent_.run(effort);
    keep();
#ifdef LAB
    std::printf("descent: %ld steps SSE %.6f\n", effort.steps(), sse());
#endif
    Warmth warmth;
    for (int round = 0; !effort.spent(); ++round) {
      const auto sweeps = std::int64_t{64} << std::min(round, static_cast<int>(knob("CAP", 5)));
      std::int64_t steps = sweeps * roster_.n();
      if (effort.by_the_clock())
        steps = std::min(steps, effort.left());
      else if (steps > effort.left())
        break;
      const std::size_t level = warmth.choose();
      anneal(Warmth::temperature(level), steps, effort);
      descent_.run(effort);
      if (effort.spent() && !effort.by_the_clock()) break;
      const double before = sse();
      keep_better();
      warmth.pay(level, (before - sse()) / static_cast<double>(steps));
#ifdef LAB
      if (std::getenv("TRACE")) std::printf("round %d level %zu T %.4f steps %ld SSE %.6f gain %.6f\n", round, level, Warmth::temperature(level), steps, sse(), before - sse());
#endif
    }
  }

  // What is better now than what is kept becomes part of it.
  void keep_better() {
    const std::vector<Label> now = labels();
    const std::vector<double> costs = costs_of(now);
    take_over(kept_, Overlay(now, kept_, roster_.cells()).second_is_better(costs, kept_costs_));
    keep();
  }

  Label kept(Row x) const { return kept_[static_cast<std::size_t>(x)]; }

 private:
  // From a temperature to a part of it, in stages of equal length, sweep after sweep.
  void anneal(double temperature, std::int64_t steps, Effort& effort) {
    constexpr int stages = 64;
    double factor = std::min(knob("RATIO", 1.0 / 8), knob("COLD", 0.04) / temperature);
    for (int i = 1; i < stages; i *= 2) factor = std::sqrt(factor);
    const std::int64_t begin = effort.steps();
    Row x = 0;
    for (int stage = 1; stage <= stages; ++stage, temperature *= factor) {
      const std::int64_t end = begin + steps / stages * stage;
      while (effort.steps() < end && !effort.spent()) {
        effort.spend(moves_.propose(x, temperature));
        if (++x == roster_.n()) x = 0;
      }
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

  const Neighbours& near_;
  Roster roster_;
  Costs costs_;
  Moves<Costs> moves_;
  Descent<Costs> descent_;
  std::vector<Label> kept_;
  std::vector<double> kept_costs_;
};

Row neighbours_of(Row /*k*/) { return static_cast<Row>(knob("NB", 16)); }

// Returns whether it was stopped.
template <class Costs>
bool search(const Records& records, std::span<const Row> order, Row k, std::uint64_t seed, std::span<Label> labels,
            Effort& effort, Ticker& ticker) {
  std::vector<Label> start = split_large(records.space, labels, k, ticker), placed;
  for (const Row row : order) placed.push_back(start[static_cast<std::size_t>(row)]);
  const Neighbours near(records, order, neighbours_of(k), ticker);
  Refinement<Costs> refinement(records, order, placed, k, seed, near);
  bool stopped = false;
  try {
    refinement.run(effort);
  } catch (const Stopped&) {
    refinement.keep_better();
    stopped = true;
  }
  for (std::size_t i = 0; i < order.size(); ++i) labels[static_cast<std::size_t>(order[i])] = refinement.kept(static_cast<Row>(i));
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
  std::int64_t steps = 0;
  try {
    Effort effort(budget, records.space.n, ticker);
    const std::vector<Row> order = nearby_order(records.space);
    const bool means = std::all_of(records.columns.begin(), records.columns.end(),
                                   [](const ColumnAverage& column) { return column.kind == Average::mean; });
    const auto search_with = means ? search<Means> : search<Mixed>;
    const bool stopped = search_with(records, order, k, seed, labels, effort, ticker);
    return {effort.steps(), stopped};
  } catch (const Stopped&) {
    return {steps, true};
  }
}

}  // namespace covey
