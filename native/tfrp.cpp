#include "tfrp.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "farthest.hpp"
#include "group.hpp"
#include "rounds.hpp"

namespace covey {
namespace {

using Point = std::vector<double>;

std::array<Point, 2> reference_points(const Space& space) {
  Point greatest(space.row(0), space.row(0) + space.d());
  Point least = greatest;
  for (Row row = 1; row < space.n; ++row)
    for (std::size_t j = 0; j < least.size(); ++j) {
      greatest[j] = std::max(greatest[j], space.row(row)[j]);
      least[j] = std::min(least[j], space.row(row)[j]);
    }
  return {std::move(greatest), std::move(least)};
}

template <class Left>
void form_by_turns(const Records& records, Row k, Left& left, Cells& cells, Ticker& ticker) {
  const Space& space = records.space;
  std::array<std::vector<Row>, 2> orders;
  std::array<std::size_t, 2> at{0, 0};
  const std::array<Point, 2> points = reference_points(space);
  for (std::size_t turn = 0; turn < 2; ++turn) orders[turn] = farthest_first(space, points[turn]);

  for (std::size_t turn = 0; left.count() >= k; turn = 1 - turn) {
    while (!left.alive(orders[turn][at[turn]])) ++at[turn];
    const Members members = nearest_to(left, space, orders[turn][at[turn]], k);
    cells.form(members);
    for (const Row row : members) left.remove(row);
    ticker.tick(space.n - left.count());
  }
  join_nearest(records, left.rows(), cells);
}

// The averages of the cells, which move and vanish, and which of them is nearest. A tree holds them as they were when
// it was built; those that have changed since are looked at one by one, until they are many.
class Averages {
 public:
  Averages(int d, Label count, Ticker& ticker)
      : d_(static_cast<std::size_t>(d)), ticker_(ticker), values_(static_cast<std::size_t>(count) * d_),
        state_(static_cast<std::size_t>(count), State::kept) {}

  double* of(Row cell) { return values_.data() + static_cast<std::size_t>(cell) * d_; }

  // To be called when the average of a cell has changed.
  void move(Row cell) {
    State& state = state_[static_cast<std::size_t>(cell)];
    if (state != State::kept) return;
    state = State::moved;
    moved_.push_back(cell);
  }
  void remove(Row cell) {
    move(cell);
    state_[static_cast<std::size_t>(cell)] = State::gone;
  }

  // The cell other than `skip`, one at least, whose average is nearest; the lowest of several.
  Row nearest(const double* q, Row skip) {
    if (!tree_ || static_cast<double>(moved_.size()) > 8.0 + 2.0 * std::sqrt(static_cast<double>(state_.size()))) build();
    Hit best = nearest_kept(q, skip);
    for (const Row cell : moved_) {
      if (cell == skip || state_[static_cast<std::size_t>(cell)] == State::gone) continue;
      const Hit hit{space(values_).distance(q, of(cell)), cell};
      if (best.row == no_row || nearer(hit, best)) best = hit;
    }
    return best.row;
  }

 private:
  enum class State : std::uint8_t { kept, moved, gone };

  Space space(const Point& values) const {
    return {values.data(), static_cast<Row>(values.size() / d_), static_cast<int>(d_), 0};
  }

  // How many may change before the tree is built anew balances the two costs; the factor was found by trial.
  void build() {
    std::erase_if(moved_, [&](Row cell) { return state_[static_cast<std::size_t>(cell)] == State::gone; });
    for (const Row cell : moved_) state_[static_cast<std::size_t>(cell)] = State::kept;
    moved_.clear();
    numbers_.clear();
    held_.clear();
    for (Row cell = 0; cell < static_cast<Row>(state_.size()); ++cell) {
      if (state_[static_cast<std::size_t>(cell)] == State::gone) continue;
      numbers_.push_back(cell);
      held_.insert(held_.end(), of(cell), of(cell) + d_);
    }
    held_space_ = space(held_);
    tree_.emplace(held_space_, true, ticker_);
  }

  // Of those in the tree that have not changed since, asking for more of them until there is one.
  Hit nearest_kept(const double* q, Row skip) const {
    for (Row count = 2;; count *= 4) {
      Nearest best(std::min(count, held_space_.n));
      tree_->nearest(q, best);
      for (const Hit& hit : best.sorted()) {
        const Row cell = numbers_[static_cast<std::size_t>(hit.row)];
        if (cell != skip && state_[static_cast<std::size_t>(cell)] == State::kept) return {hit.distance, cell};
      }
      if (count >= held_space_.n) return {0.0, no_row};
    }
  }

  std::size_t d_;
  Ticker& ticker_;
  Point values_;
  std::vector<State> state_;
  std::vector<Row> moved_;
  std::vector<Row> numbers_;  // of the cells in the tree
  Point held_;
  Space held_space_{};
  std::optional<Tree> tree_;
};

// Cells that are dissolved where that lowers the SSE.
class Dissolution {
 public:
  Dissolution(const Records& records, Cells& cells, Ticker& ticker)
      : records_(records), cells_(cells), ticker_(ticker), left_(cells.count),
        members_(static_cast<std::size_t>(cells.count)), sse_(members_.size()),
        building_([this](std::int64_t, std::int64_t) { ticker_.tick(done_); }, records.space.n),
        averages_(records.space.d(), cells.count, building_), average_(static_cast<std::size_t>(records.space.d())) {
    const Groups groups(cells.labels, cells.count);
    for (Row cell = 0; cell < cells.count; ++cell) {
      const auto rows = groups.members(cell);
      members(cell).assign(rows.begin(), rows.end());
      sse(cell) = measure(members(cell));
      std::copy(average_.begin(), average_.end(), averages_.of(cell));
    }
  }

  void run() {
    const auto count = static_cast<std::int64_t>(members_.size());
    std::int64_t tried = 0;
    for (const Row cell : by_sse()) {
      if (left_ > 1) try_cell(cell);
      done_ = records_.space.n * ++tried / count;
      ticker_.tick(done_);
    }
    number();
  }

 private:
  struct Joined {
    Row cell;
    Members members;
    double sse;
    Point average;
  };

  Members& members(Row cell) { return members_[static_cast<std::size_t>(cell)]; }
  double& sse(Row cell) { return sse_[static_cast<std::size_t>(cell)]; }

  // Of greatest SSE first, the lowest of several.
  std::vector<Row> by_sse() const {
    std::vector<Row> order(members_.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](Row a, Row b) {
      return sse_[static_cast<std::size_t>(a)] > sse_[static_cast<std::size_t>(b)];
    });
    return order;
  }

  // The SSE of records in ascending order; leaves their average in average_.
  double measure(const Members& rows) {
    RunningAverage(records_, rows).write(average_);
    double sum = 0.0;
    for (const Row row : rows) sum += records_.space.distance(records_.space.row(row), average_.data());
    return sum;
  }

  void try_cell(Row cell) {
    std::vector<Joined> receivers = without(cell);
    double before = sse(cell), after = 0.0;
    for (const Joined& receiver : receivers) {
      before += sse(receiver.cell);
      after += receiver.sse;
    }
    if (!(after < before)) return;
    for (Joined& receiver : receivers) {
      members(receiver.cell) = std::move(receiver.members);
      sse(receiver.cell) = receiver.sse;
      std::copy(receiver.average.begin(), receiver.average.end(), averages_.of(receiver.cell));
      averages_.move(receiver.cell);
    }
    members(cell).clear();
    averages_.remove(cell);
    --left_;
  }

  // The cells that the members of a cell would join, in ascending order, as they would be then.
  std::vector<Joined> without(Row cell) {
    std::vector<std::pair<Row, Row>> joins;
    for (const Row row : members(cell)) joins.emplace_back(averages_.nearest(records_.space.row(row), cell), row);
    std::sort(joins.begin(), joins.end());
    std::vector<Joined> receivers;
    for (const auto& [to, row] : joins) {
      if (receivers.empty() || receivers.back().cell != to) receivers.push_back({to, members(to), 0.0, {}});
      receivers.back().members.push_back(row);
    }
    for (Joined& receiver : receivers) {
      std::sort(receiver.members.begin(), receiver.members.end());
      receiver.sse = measure(receiver.members);
      receiver.average = average_;
    }
    return receivers;
  }

  // The cells that are left keep their order.
  void number() {
    cells_.count = 0;
    for (const Members& rows : members_)
      if (!rows.empty()) cells_.form(rows);
  }

  const Records& records_;
  Cells& cells_;
  Ticker& ticker_;
  Label left_;
  std::vector<Members> members_;
  std::vector<double> sse_;
  std::int64_t done_ = 0;
  Ticker building_;  // a tree of averages is built in between, and is no progress
  Averages averages_;
  Point average_;  // of what was measured last
};

}  // namespace

// Half of the progress is that of the cells, the other half that of the trials.
void tfrp(const Records& records, const Options& options, Cells& cells, Ticker& ticker) {
  const Row n = records.space.n;
  Ticker forming([&](std::int64_t done, std::int64_t) { ticker.tick(done / 2); }, n);
  with_index(records, options.search, forming,
             [&](auto& left) { form_by_turns(records, options.k, left, cells, forming); });
  Ticker trying([&](std::int64_t done, std::int64_t) { ticker.tick(n / 2 + done / 2); }, n);
  Dissolution(records, cells, trying).run();
}

}  // namespace covey
