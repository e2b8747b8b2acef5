#include "mending.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <queue>
#include <tuple>

namespace covey {
namespace {

// Of the squared errors a record: steps that gain less than that are not worth a look, and rounding could repeat them.
constexpr double worth_a_step = 1e-6;

// What failing cells had best do, the cheapest first; those of changed cells are found anew.
class Agenda {
 public:
  Agenda(MendedCells& cells, std::int64_t looks) : cells_(cells), look_(cells), patience_(looks), version_(static_cast<std::size_t>(cells.count())) {}

  std::int64_t size() const { return static_cast<std::int64_t>(heap_.size()); }

  // Finds the cell's cheapest step; the only cell of all has none.
  void propose(Row cell) {
    const Aim aim = ++looks_ < patience_ ? Aim::mend : Aim::merge;
    const auto step = look_.best(cell, cells_.near(cell, neighbours_looked_at), aim);
    if (step) heap_.push({step->price(), cell, version(cell), version(step->other), *step});
  }

  struct Proposal {
    double price;
    Row cell;
    std::int64_t mine, theirs;  // the versions of both cells that it is about
    Step step;
    bool operator<(const Proposal& other) const { return std::tie(other.price, other.cell) < std::tie(price, cell); }
  };

  // What is to be done next.
  std::optional<Proposal> cheapest() {
    while (!heap_.empty()) {
      const Proposal proposal = heap_.top();
      heap_.pop();
      if (proposal.mine != version(proposal.cell)) continue;
      if (proposal.theirs == version(proposal.step.other)) return proposal;
      propose(proposal.cell);
    }
    return std::nullopt;
  }

  // What is known of these cells is out of date.
  void renew(Row cell, Row other) {
    for (const Row changed : {cell, other}) ++version_[static_cast<std::size_t>(changed)];
    for (const Row changed : {cell, other})
      if (cells_.shortfall(changed) > 0.0) propose(changed);
  }

 private:
  std::int64_t version(Row cell) const { return version_[static_cast<std::size_t>(cell)]; }

  MendedCells& cells_;
  Look look_;
  std::int64_t looks_ = 0, patience_;
  std::priority_queue<Proposal> heap_;
  std::vector<std::int64_t> version_;
};

}  // namespace

bool mend(MendedCells& cells, std::int64_t looks, Row fewest, std::vector<bool>& touched, Ticker& ticker) {
  const auto failing = cells.failing();
  const auto n = static_cast<double>(cells.space().n), all = static_cast<double>(failing.size());
  const auto tell = [&](double share) { ticker.tick(static_cast<std::int64_t>(share * n)); };
  Agenda agenda(cells, looks);
  for (std::size_t i = 0; i < failing.size(); ++i) {
    agenda.propose(failing[i]);
    tell(0.5 * static_cast<double>(i) / all);
  }
  while (const auto proposal = agenda.cheapest()) {
    const auto& [price, cell, mine, theirs, step] = *proposal;
    cells.take(cell, step);
    touched[static_cast<std::size_t>(cell)] = touched[static_cast<std::size_t>(step.other)] = true;
    if (step.merges() && cells.alive() < fewest) return false;
    agenda.renew(cell, step.other);
    tell(1.0 - 0.5 * std::min(1.0, static_cast<double>(agenda.size()) / all));
  }
  return true;
}

void descend(MendedCells& cells, const std::vector<bool>& start, std::int32_t visits, Ticker& ticker) {
  std::deque<Row> queue;
  std::vector<bool> waiting(start.size());
  const auto wait = [&](Row cell) {
    if (waiting[static_cast<std::size_t>(cell)]) return;
    waiting[static_cast<std::size_t>(cell)] = true;
    queue.push_back(cell);
  };
  for (Row cell = 0; cell < cells.count(); ++cell)
    if (start[static_cast<std::size_t>(cell)] && cells.alive(cell)) wait(cell);
  std::vector<std::int32_t> visited(start.size());
  Look look(cells, worth_a_step * cells.squared_errors() / cells.space().n);
  for (std::int64_t looks = 1; !queue.empty(); ++looks) {
    const Row cell = queue.front();
    queue.pop_front();
    waiting[static_cast<std::size_t>(cell)] = false;
    if (visited[static_cast<std::size_t>(cell)] == visits) continue;
    ++visited[static_cast<std::size_t>(cell)];
    // As many looks as there were, and as there are to come at least.
    ticker.tick(cells.space().n * looks / (looks + static_cast<std::int64_t>(queue.size())));
    const auto step = look.best(cell, cells.near(cell, neighbours_looked_at), Aim::descend);
    if (!step) continue;
    cells.take(cell, *step);
    wait(cell);
    wait(step->other);
  }
}

}  // namespace covey
