#include "mended_cells.hpp"

#include <algorithm>

namespace covey {
namespace {

std::vector<std::vector<Row>> grouped(std::span<const Label> labels) {
  std::vector<std::vector<Row>> members(static_cast<std::size_t>(*std::max_element(labels.begin(), labels.end())) + 1);
  for (std::size_t i = 0; i < labels.size(); ++i) members[static_cast<std::size_t>(labels[i])].push_back(static_cast<Row>(i));
  return members;
}

std::vector<double> mean_of_records(const Space& space, std::span<const Row> members) {
  std::vector<double> mean(static_cast<std::size_t>(space.d()));
  for (const Row record : members)
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += space.row(record)[j];
  for (double& x : mean) x /= static_cast<double>(members.size());
  return mean;
}

std::vector<double> means_of(const Space& space, const std::vector<std::vector<Row>>& members) {
  std::vector<double> means;
  for (const auto& rows : members) {
    const auto mean = mean_of_records(space, rows);
    means.insert(means.end(), mean.begin(), mean.end());
  }
  return means;
}

}  // namespace

MendedCells::MendedCells(const Space& space, std::span<const Label> labels, Row k, Shortfalls shortfalls, Row scanned, Ticker& ticker)
    : space_(space), k_(k), shortfalls_(std::move(shortfalls)), members_(grouped(labels)),
      tallies_(shortfalls_.size(), std::vector<Tally>(members_.size())), short_(members_.size()),
      near_(means_of(space, members_), space.d(), scanned, ticker) {
  for (Row cell = 0; cell < count(); ++cell) count_anew(cell);
}

void MendedCells::take(Row cell, const Step& step) {
  auto& mine = members_[static_cast<std::size_t>(cell)];
  auto& others = members_[static_cast<std::size_t>(step.other)];
  if (step.merges()) {
    mine.insert(mine.end(), others.begin(), others.end());
    others = {};
    changed(cell);
    count_anew(step.other);
    near_.remove(step.other);
    return;
  }
  if (step.out != no_row) {
    std::erase(mine, step.out);
    others.push_back(step.out);
  }
  if (step.into != no_row) {
    std::erase(others, step.into);
    mine.push_back(step.into);
  }
  changed(cell);
  changed(step.other);
}

void MendedCells::changed(Row cell) {
  near_.move(cell, mean_of_records(space_, members(cell)));
  count_anew(cell);
}

void MendedCells::count_anew(Row cell) {
  const auto at = static_cast<std::size_t>(cell);
  short_[at] = 0.0;
  for (std::size_t i = 0; i < shortfalls_.size(); ++i) {
    Tally& tally = tallies_[i][at];
    if (members_[at].empty()) {
      tally = {};
      continue;
    }
    shortfalls_[i]->count(members_[at], tally);
    shortfalls_[i]->prepare(tally);
    short_[at] += shortfalls_[i]->whole(tally);
  }
}

std::vector<Row> MendedCells::failing() const {
  std::vector<Row> found;
  for (Row cell = 0; cell < count(); ++cell)
    if (shortfall(cell) > 0.0) found.push_back(cell);
  return found;
}

std::vector<Label> MendedCells::labels() const {
  std::vector<std::pair<Row, Row>> lowest;
  for (Row cell = 0; cell < count(); ++cell)
    if (alive(cell)) lowest.emplace_back(*std::min_element(members(cell).begin(), members(cell).end()), cell);
  std::sort(lowest.begin(), lowest.end());
  std::vector<Label> labels(static_cast<std::size_t>(space_.n));
  for (std::size_t number = 0; number < lowest.size(); ++number)
    for (const Row record : members(lowest[number].second)) labels[static_cast<std::size_t>(record)] = static_cast<Label>(number);
  return labels;
}

double MendedCells::squared_errors() const {
  double sum = 0.0;
  for (Row cell = 0; cell < count(); ++cell)
    for (const Row record : members(cell)) sum += space_.distance(space_.row(record), mean(cell).data());
  return sum;
}

}  // namespace covey
