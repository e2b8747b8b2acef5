#include "mu_approx.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "farthest.hpp"

namespace covey {
namespace {

using Neighbours = std::vector<std::vector<Row>>;

// Which tree each record is in, and how large it is.
class Trees {
 public:
  explicit Trees(const Space& space) : above_(all_rows(space)), size_(above_.size(), 1) {}

  Row of(Row row) {
    Row& above = above_[static_cast<std::size_t>(row)];
    while (above != above_[static_cast<std::size_t>(above)]) above = above_[static_cast<std::size_t>(above)];
    return above;
  }
  Row size(Row row) { return size_[static_cast<std::size_t>(of(row))]; }

  void join(Row a, Row b) {
    Row into = of(a), from = of(b);
    if (size(into) < size(from)) std::swap(into, from);
    above_[static_cast<std::size_t>(from)] = into;
    size_[static_cast<std::size_t>(into)] += size_[static_cast<std::size_t>(from)];
  }

 private:
  std::vector<Row> above_, size_;
};

// A record's tree holds size − 1 others, so one of as many nearest as the tree has records is outside.
template <class Left>
Row nearest_outside(const Space& space, const Left& left, Trees& trees, Row row) {
  Nearest best(trees.size(row));
  left.nearest(space.row(row), best, row);
  const std::vector<Hit>& hits = best.sorted();
  return std::find_if(hits.begin(), hits.end(), [&](const Hit& hit) { return trees.of(hit.row) != trees.of(row); })->row;
}

template <class Left>
Neighbours grow_forest(const Records& records, Row k, const Left& left, Ticker& ticker) {
  const Space& space = records.space;
  Trees trees(space);
  Neighbours neighbours(static_cast<std::size_t>(space.n));
  std::int64_t done = 0;
  for (const Row row : from_the_outside_in(records)) {
    if (trees.size(row) < k) {
      const Row other = nearest_outside(space, left, trees, row);
      neighbours[static_cast<std::size_t>(row)].push_back(other);
      neighbours[static_cast<std::size_t>(other)].push_back(row);
      trees.join(row, other);
    }
    ticker.tick(++done);
  }
  return neighbours;
}

// Trees that hang from a candidate, so that a cut costs no more than a look at what hangs there.
class Decomposition {
 public:
  Decomposition(const Space& space, Row k, Neighbours&& neighbours)
      : space_(space), k_(k), most_(std::max(2 * k - 1, 3 * k - 5)), below_(std::move(neighbours)),
        size_(below_.size(), 0), part_(below_.size(), no_row) {}

  bool is_done(Row row) const { return part_[static_cast<std::size_t>(row)] != no_row; }
  Row part(Row row) const { return part_[static_cast<std::size_t>(row)]; }

  // Decomposes the tree of a record, which is the first candidate.
  void run(Row row) {
    hang(row);
    open_.assign(1, row);
    while (!open_.empty()) {
      const Row candidate = open_.back();
      open_.pop_back();
      decompose(candidate);
    }
  }

 private:
  std::vector<Row>& below(Row row) { return below_[static_cast<std::size_t>(row)]; }
  Row& size(Row row) { return size_[static_cast<std::size_t>(row)]; }

  // Lists of neighbours become lists of what is below.
  void hang(Row top) {
    std::vector<Row> order{top};
    for (std::size_t i = 0; i < order.size(); ++i)
      for (const Row child : below(order[i])) {
        std::erase(below(child), order[i]);
        order.push_back(child);
      }
    for (auto row = order.rbegin(); row != order.rend(); ++row) {
      size(*row) = 1;
      for (const Row child : below(*row)) size(*row) += size(child);
    }
  }

  void decompose(Row u) {
    while (size(u) > most_) {
      const Row v = largest_below(u), largest = size(v), others = size(u) - largest;
      if (others < k_ - 1) {
        detach(u, v);
        attach(v, u);
        u = v;
      } else if (largest < k_ - 1) {
        u = sweep(u);
      } else {
        detach(u, v);
        if (largest >= k_ && others >= k_) {
          open_.push_back(v);
        } else {  // k − 1 records on one side take the end of the edge on the other
          const Row rest = replace(largest >= k_ ? v : u);
          attach(u, v);
          finish({u});
          u = rest;
        }
      }
    }
    finish({u});
  }

  // Every subtree has k − 2 records or fewer: they are taken in the order of their distance from the candidate, k − 1
  // records or more at a time, and with just k − 1 of them goes the candidate. Returns the last candidate.
  Row sweep(Row u) {
    Row left = size(u);
    std::deque<Row> pieces;
    unhang(u, pieces);
    while (left > most_) {
      std::vector<Row> taken;
      Row count = 0;
      for (; count < k_ - 1; pieces.pop_front()) {
        taken.push_back(pieces.front());
        count += size(pieces.front());
      }
      if (count == k_ - 1) {
        taken.push_back(u);
        ++count;
        u = pieces.front();
        pieces.pop_front();
        unhang(u, pieces);
      }
      finish(taken);
      left -= count;
    }
    below(u).assign(pieces.begin(), pieces.end());
    size(u) = left;
    return u;
  }

  // What is below a record goes to the front of the pieces, the nearest first.
  void unhang(Row row, std::deque<Row>& pieces) {
    std::vector<Row> roots = std::exchange(below(row), {});
    size(row) = 1;
    const double* q = space_.row(row);
    const auto is_nearer = [&](Row a, Row b) {
      return nearer({space_.distance(space_.row(a), q), a}, {space_.distance(space_.row(b), q), b});
    };
    std::sort(roots.begin(), roots.end(), is_nearer);
    pieces.insert(pieces.begin(), roots.begin(), roots.end());
  }

  // Of what is below a record the nearest takes its place; the record is left alone. Returns the one in its place.
  Row replace(Row row) {
    std::deque<Row> pieces;
    unhang(row, pieces);
    const Row place = pieces.front();
    for (auto piece = pieces.begin() + 1; piece != pieces.end(); ++piece) attach(place, *piece);
    return place;
  }

  // The root of the largest subtree, the lowest of several.
  Row largest_below(Row row) {
    return *std::min_element(below(row).begin(), below(row).end(),
                             [&](Row a, Row b) { return size(a) > size(b) || (size(a) == size(b) && a < b); });
  }

  void detach(Row row, Row child) {
    const auto place = std::find(below(row).begin(), below(row).end(), child);
    *place = below(row).back();
    below(row).pop_back();
    size(row) -= size(child);
  }

  void attach(Row row, Row child) {
    below(row).push_back(child);
    size(row) += size(child);
  }

  // These records and all below them are a part.
  void finish(std::vector<Row> rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      part_[static_cast<std::size_t>(rows[i])] = parts_;
      rows.insert(rows.end(), below(rows[i]).begin(), below(rows[i]).end());
    }
    ++parts_;
  }

  const Space& space_;
  Row k_, most_;
  Neighbours below_;
  std::vector<Row> size_;
  std::vector<Row> part_;  // of every record
  Row parts_ = 0;
  std::vector<Row> open_;  // candidates of trees that are not decomposed yet
};

}  // namespace

// Half of the progress is that of the forest, the other half the records in components of bounded size.
void mu_approx(const Records& records, const Options& options, Cells& cells, Ticker& ticker) {
  const Row n = records.space.n;
  Neighbours neighbours;
  Ticker growing([&](std::int64_t done, std::int64_t) { ticker.tick(done / 2); }, n);
  with_index(records, options.search, growing,
             [&](auto& left) { neighbours = grow_forest(records, options.k, left, growing); });

  Decomposition decomposition(records.space, options.k, std::move(neighbours));
  std::vector<Label> cell_of(static_cast<std::size_t>(n), no_cell);
  for (Row row = 0; row < n; ++row) {
    if (!decomposition.is_done(row)) decomposition.run(row);
    Label& cell = cell_of[static_cast<std::size_t>(decomposition.part(row))];
    if (cell == no_cell) cell = cells.count++;
    cells.put(row, cell);
    ticker.tick(n / 2 + row / 2);
  }
}

}  // namespace covey
