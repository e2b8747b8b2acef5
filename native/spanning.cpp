#include "spanning.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace covey {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// --- Prim: the tree grows by the shortest edge out of it ---------------------------------------------------

// The records that are not in the tree yet, column by column, each with the shortest edge to the tree.
class Outside {
 public:
  explicit Outside(const Space& space)
      : space_(space), rows_(all_rows(space)), columns_(static_cast<std::size_t>(space.d())),
        nearest_(rows_.size(), {infinity, no_row}), distances_(rows_.size()) {
    for (std::size_t j = 0; j < columns_.size(); ++j)
      for (Row row = 0; row < space.n; ++row) columns_[j].push_back(space.row(row)[j]);
  }

  bool empty() const { return rows_.empty(); }

  // Takes out the record at a place; the last one fills it.
  Row take(std::size_t place) {
    const Row row = rows_[place];
    fill(rows_, place);
    fill(nearest_, place);
    for (auto& column : columns_) fill(column, place);
    return row;
  }

  // A record that has joined the tree may be nearer than those before. Returns where the shortest edge leads.
  std::size_t approach(Row row) {
    measure(space_.row(row));
    std::size_t shortest = 0;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const Hit hit{distances_[i], row};
      if (nearer(hit, nearest_[i])) nearest_[i] = hit;
      if (shorter(edge(i), edge(shortest))) shortest = i;
    }
    return shortest;
  }

  Edge edge(std::size_t place) const { return edge_between(rows_[place], nearest_[place]); }

 private:
  template <class T>
  static void fill(std::vector<T>& values, std::size_t place) {
    values[place] = values.back();
    values.pop_back();
  }

  // The same sums in the same order as Space::distance.
  void measure(const double* q) {
    const std::size_t count = rows_.size();
    std::fill_n(distances_.begin(), count, 0.0);
    double* sum = distances_.data();
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const double* column = columns_[j].data();
      if (j < static_cast<std::size_t>(space_.numeric))
        for (std::size_t i = 0; i < count; ++i) sum[i] += (column[i] - q[j]) * (column[i] - q[j]);
      else
        for (std::size_t i = 0; i < count; ++i) sum[i] += column[i] != q[j] ? 1.0 : 0.0;
    }
  }

  const Space& space_;
  std::vector<Row> rows_;
  std::vector<std::vector<double>> columns_;
  std::vector<Hit> nearest_;  // in the tree
  std::vector<double> distances_;
};

std::vector<Edge> prim(const Space& space, Ticker& ticker) {
  std::vector<Edge> edges;
  Outside outside(space);
  Row joined = outside.take(0);
  while (!outside.empty()) {
    const std::size_t next = outside.approach(joined);
    edges.push_back(outside.edge(next));
    joined = outside.take(next);
    ticker.tick(static_cast<std::int64_t>(edges.size()));
  }
  return edges;
}

// --- Borůvka: every part of the forest grows by the shortest edge out of it --------------------------------

class Forest {
 public:
  explicit Forest(const Space& space) : above_(all_rows(space)) {}

  Row root(Row row) {
    Row& above = above_[static_cast<std::size_t>(row)];
    while (above != above_[static_cast<std::size_t>(above)]) above = above_[static_cast<std::size_t>(above)];
    return above;
  }

  // False if they are in the same part already.
  bool join(Row a, Row b) {
    const auto [low, high] = std::minmax({root(a), root(b)});
    above_[static_cast<std::size_t>(high)] = low;
    return low != high;
  }

 private:
  std::vector<Row> above_;
};

class Boruvka {
 public:
  Boruvka(const Records& records, Ticker& ticker)
      : space_(records.space), ticker_(ticker), tree_(records.space, exact_masks(records), ticker),
        forest_(records.space), part_(static_cast<std::size_t>(space_.n)), shortest_(part_.size()),
        nearest_(part_.size(), {0.0, no_row}) {}

  std::vector<Edge> run() {
    join_nearest_records();
    const std::vector<Row> placed = tree_.placed();
    while (edges_.size() + 1 < part_.size()) {
      name_parts();
      offer_known(placed);
      search(placed);
      join_parts();
    }
    return std::move(edges_);
  }

 private:
  Row part(Row row) const { return part_[static_cast<std::size_t>(row)]; }
  Edge& shortest(Row row) { return shortest_[static_cast<std::size_t>(part(row))]; }
  Hit& nearest(Row row) { return nearest_[static_cast<std::size_t>(row)]; }
  void offer(Row row) {
    const Edge edge = edge_between(row, nearest(row));
    if (shorter(edge, shortest(row))) shortest(row) = edge;
  }
  void join(const Edge& edge) {
    if (forest_.join(edge.a, edge.b)) edges_.push_back(edge);
  }
  void tick() { ticker_.tick(static_cast<std::int64_t>(edges_.size())); }

  // The first round, in which each record is a part. Equal records are in the same part after it: each is joined to
  // the lowest record at distance 0, whichever that is. From then on one of them, the lowest, stands for all.
  void join_nearest_records() {
    for (Row row = 0; row < space_.n; ++row) {
      Nearest best(1);
      tree_.nearest(space_.row(row), best, row);
      for (const Hit& hit : best.sorted()) join(edge_between(row, hit));
      tick();
    }
  }

  void name_parts() {
    for (Row row = 0; row < space_.n; ++row) part_[static_cast<std::size_t>(row)] = forest_.root(row);
    tree_.tag(part_);
    std::fill(shortest_.begin(), shortest_.end(), Edge{infinity, no_row, no_row});
  }

  // A record's nearest one outside its part is that as long as it is outside, for parts only grow.
  void offer_known(const std::vector<Row>& placed) {
    for (const Row row : placed)
      if (is_known(row)) offer(row);
  }

  bool is_known(Row row) { return nearest(row).row != no_row && part(nearest(row).row) != part(row); }

  // Others are looked for, but no farther than the part's shortest edge so far. Where there was none at a distance in
  // an earlier round, there is none now.
  void search(const std::vector<Row>& placed) {
    for (const Row row : placed) {
      const double limit = shortest(row).square;
      if (is_known(row) || nearest(row).distance > limit) continue;
      nearest(row) = tree_.nearest_of_another(space_.row(row), part(row), limit);
      if (nearest(row).row != no_row) offer(row);
      tick();
    }
  }

  void join_parts() {
    for (const Edge& edge : shortest_)
      if (edge.a != no_row) join(edge);
  }

  const Space& space_;
  Ticker& ticker_;
  Tree tree_;
  Forest forest_;
  std::vector<Row> part_;      // of every record
  std::vector<Edge> shortest_; // out of every part
  std::vector<Hit> nearest_;   // outside its part, of every record: none at less than this distance, at least
  std::vector<Edge> edges_;
};

}  // namespace

std::vector<Edge> spanning_tree(const Records& records, Search search, Ticker& ticker) {
  const bool flat = search == Search::automatic ? prefers_flat(records.space) : search == Search::flat;
  return flat ? prim(records.space, ticker) : Boruvka(records, ticker).run();
}

}  // namespace covey
