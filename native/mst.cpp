#include "mst.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "md.hpp"
#include "spanning.hpp"

namespace covey {
namespace {

// A forest as lists of neighbours.
class Branches {
 public:
  Branches(Row n, std::span<const Edge> edges)
      : begin_(static_cast<std::size_t>(n) + 1), end_(static_cast<std::size_t>(n)), neighbours_(2 * edges.size()) {
    for (const Edge& edge : edges)
      for (const Row row : {edge.a, edge.b}) ++begin_[static_cast<std::size_t>(row) + 1];
    for (std::size_t row = 0; row < end_.size(); ++row) begin_[row + 1] += begin_[row];
    std::copy(begin_.begin(), begin_.end() - 1, end_.begin());
    for (const Edge& edge : edges) {
      neighbours_[end_[static_cast<std::size_t>(edge.a)]++] = edge.b;
      neighbours_[end_[static_cast<std::size_t>(edge.b)]++] = edge.a;
    }
  }

  std::span<Row> of(Row row) {
    const auto i = static_cast<std::size_t>(row);
    return std::span(neighbours_).subspan(begin_[i], end_[i] - begin_[i]);
  }

  void cut(const Edge& edge) {
    forget(edge.a, edge.b);
    forget(edge.b, edge.a);
  }

  // At most `count` of the records on this side of an edge, starting with its end.
  const std::vector<Row>& side(Row end, Row other_end, std::size_t count) {
    reached_.assign(1, end);
    from_.assign(1, other_end);
    for (std::size_t i = 0; i < reached_.size() && reached_.size() < count; ++i)
      for (const Row next : of(reached_[i])) {
        if (next == from_[i]) continue;
        reached_.push_back(next);
        from_.push_back(reached_[i]);
        if (reached_.size() == count) break;
      }
    return reached_;
  }

 private:
  void forget(Row row, Row neighbour) {
    const std::span<Row> list = of(row);
    *std::find(list.begin(), list.end(), neighbour) = list.back();
    --end_[static_cast<std::size_t>(row)];
  }

  std::vector<std::size_t> begin_, end_;
  std::vector<Row> neighbours_;
  std::vector<Row> reached_, from_;
};

void cut_longest(std::vector<Edge>& edges, std::size_t k, Branches& branches, Ticker& ticker, std::int64_t done) {
  std::sort(edges.begin(), edges.end(), [](const Edge& x, const Edge& y) {
    return x.square != y.square ? x.square > y.square : shorter(x, y);
  });
  for (const Edge& edge : edges) {
    if (branches.side(edge.a, edge.b, k).size() == k && branches.side(edge.b, edge.a, k).size() == k) branches.cut(edge);
    ticker.tick(done);
  }
}

// MD's cells of some of the records, in ascending order.
void split_by_md(const Records& records, const Options& options, std::span<const Row> rows, Cells& cells, Ticker& ticker) {
  std::vector<double> values;
  for (const Row row : rows) values.insert(values.end(), records.space.row(row), records.space.row(row) + records.space.d());
  Records part{records.space, records.columns};
  part.space.values = values.data();
  part.space.n = static_cast<Row>(rows.size());
  Cells found(part.space.n);
  md(part, options, found, ticker);
  for (std::size_t i = 0; i < rows.size(); ++i) cells.put(rows[i], cells.count + found.labels[i]);
  cells.count += found.count;
}

}  // namespace

// Half of the progress is that of the spanning tree, the other half the records that are in cells.
void mst(const Records& records, const Options& options, Split split, Cells& cells, Ticker& ticker) {
  const Row n = records.space.n;
  const auto k = static_cast<std::size_t>(options.k);
  Ticker spanning([&](std::int64_t done, std::int64_t) { ticker.tick(done / 2); }, n);
  std::vector<Edge> edges = spanning_tree(records, options.search, spanning);
  Branches branches(n, edges);
  cut_longest(edges, k, branches, ticker, n / 2);

  std::int64_t done = 0;
  Ticker splitting([&](std::int64_t part, std::int64_t) { ticker.tick(n / 2 + (done + part) / 2); }, n);
  for (Row row = 0; row < n; ++row) {
    if (cells.labels[static_cast<std::size_t>(row)] != no_cell) continue;
    std::vector<Row> members = branches.side(row, no_row, static_cast<std::size_t>(n));
    std::sort(members.begin(), members.end());
    if (split == Split::md && members.size() >= 2 * k)
      split_by_md(records, {options.k, options.search, 1}, members, cells, splitting);
    else
      cells.form(members);
    done += static_cast<std::int64_t>(members.size());
    splitting.tick(0);
  }
}

}  // namespace covey
