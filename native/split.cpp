#include "split.hpp"

#include <algorithm>

#include "group.hpp"

namespace covey {
namespace {

Row farthest_from(const Space& space, Row from, std::span<const Row> rows) {
  Hit best = no_hit;
  for (const Row row : rows) {
    const Hit hit{space.distance(space.row(from), space.row(row)), row};
    if (farther(hit, best)) best = hit;
  }
  return best.row;
}

// From those nearest to one of two records that are far apart to those nearest to the other.
void sort_across(const Space& space, std::span<Row> rows, std::vector<Hit>& keys) {
  const Row a = farthest_from(space, rows.front(), rows), b = farthest_from(space, a, rows);
  keys.clear();
  for (const Row row : rows)
    keys.push_back({space.distance(space.row(row), space.row(a)) - space.distance(space.row(row), space.row(b)), row});
  std::sort(keys.begin(), keys.end(), nearer);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = keys[i].row;
}

}  // namespace

std::vector<Label> split_large(const Space& space, std::span<const Label> labels, Row k, Ticker& ticker) {
  const auto least = static_cast<std::size_t>(k);
  const Label cells = *std::max_element(labels.begin(), labels.end()) + 1;
  const Groups groups(labels, cells);
  std::vector<std::vector<Row>> waiting;
  for (Label cell = cells; cell-- > 0;) waiting.emplace_back(groups.members(cell).begin(), groups.members(cell).end());

  Cells split(space.n);
  std::vector<Hit> keys;
  while (!waiting.empty()) {
    std::vector<Row> rows = std::move(waiting.back());
    waiting.pop_back();
    if (rows.size() < 2 * least) {
      split.form(rows);
      continue;
    }
    ticker.tick(0);
    sort_across(space, rows, keys);
    const auto middle = rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2 / least * least);
    waiting.emplace_back(middle, rows.end());
    waiting.emplace_back(rows.begin(), middle);
  }
  return split.labels;
}

}  // namespace covey
