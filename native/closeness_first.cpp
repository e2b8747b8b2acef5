#include "closeness_first.hpp"

#include <cstddef>

#include "squares.hpp"

namespace covey {
namespace {

// The records of a subset that are in no cell yet, in their order.
class Line {
 public:
  Line(const Space& space, const std::vector<Row>& rows)
      : d_(static_cast<std::size_t>(space.d())), stride_(rows.size()), rows_(rows), coordinates_(d_ * stride_), squares_(stride_) {
    for (std::size_t i = 0; i < rows_.size(); ++i)
      for (std::size_t j = 0; j < d_; ++j) coordinates_[j * stride_ + i] = space.row(rows_[i])[j];
  }

  std::size_t size() const { return rows_.size(); }

  void look_from(const double* point) { squares_from(point, {coordinates_.data(), d_, stride_}, rows_.size(), squares_.data()); }

  // Of those as near, or as far, the first.
  void farthest(Hit& best) const {
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (squares_[i] > best.distance) best = {squares_[i], rows_[i]};
  }
  Row take_nearest() {
    std::size_t place = 0;
    for (std::size_t i = 1; i < rows_.size(); ++i)
      if (squares_[i] < squares_[place]) place = i;
    const Row taken = rows_[place];
    const auto at = static_cast<std::ptrdiff_t>(place);
    rows_.erase(rows_.begin() + at);
    squares_.erase(squares_.begin() + at);
    for (std::size_t j = 0; j < d_; ++j)
      for (std::size_t i = j * stride_ + place; i < j * stride_ + rows_.size(); ++i) coordinates_[i] = coordinates_[i + 1];
    return taken;
  }

 private:
  std::size_t d_, stride_;
  std::vector<Row> rows_;
  std::vector<double> coordinates_, squares_;
};

class Left {
 public:
  Left(const Space& space, std::span<const std::vector<Row>> lines) : space_(space), total_(static_cast<std::size_t>(space.d())), count_(space.n) {
    for (const auto& rows : lines) lines_.emplace_back(space, rows);
    for (Row row = 0; row < space.n; ++row)
      for (std::size_t j = 0; j < total_.size(); ++j) total_[j] += space.row(row)[j];
  }

  std::vector<double> mean() const {
    std::vector<double> mean = total_;
    for (double& x : mean) x /= static_cast<double>(count_);
    return mean;
  }

  const double* farthest(const double* point) {
    Hit best{-1.0, no_row};
    for (Line& line : lines_) {
      line.look_from(point);
      line.farthest(best);
    }
    return space_.row(best.row);
  }

  // The records of a new cell; `left` are to be formed yet, with it.
  void take(const double* seed, Label left, Label cell, Cells& cells) {
    bool second = false;
    for (Line& line : lines_) {
      line.look_from(seed);
      const bool over = !second && static_cast<Label>(line.size()) > left;
      put(line.take_nearest(), cell, cells);
      if (over) put(line.take_nearest(), cell, cells);
      second = second || over;
    }
  }

 private:
  void put(Row row, Label cell, Cells& cells) {
    cells.put(row, cell);
    for (std::size_t j = 0; j < total_.size(); ++j) total_[j] -= space_.row(row)[j];
    --count_;
  }

  const Space& space_;
  std::vector<Line> lines_;
  std::vector<double> total_;
  Row count_;
};

}  // namespace

std::vector<std::vector<Row>> subsets_of(std::span<const Label> order, std::span<const Label> widths, Row n, Label count) {
  std::vector<std::vector<Row>> lines(widths.size());
  std::vector<bool> seen(static_cast<std::size_t>(n));
  std::size_t place = 0;
  Label over = 0;
  for (std::size_t line = 0; line < widths.size(); ++line) {
    if (count < 1 || widths[line] < count || widths[line] > static_cast<Label>(order.size() - place)) return {};
    over += widths[line] - count;
    for (const Label record : order.subspan(place, static_cast<std::size_t>(widths[line]))) {
      if (record < 0 || record >= n || seen[static_cast<std::size_t>(record)]) return {};
      seen[static_cast<std::size_t>(record)] = true;
      lines[line].push_back(static_cast<Row>(record));
    }
    place += static_cast<std::size_t>(widths[line]);
  }
  return place == seen.size() && over <= count ? lines : std::vector<std::vector<Row>>{};
}

void closeness_first(const Space& space, std::span<const std::vector<Row>> lines, Label count, Cells& cells, Ticker& ticker) {
  Left left(space, lines);
  const double* seed = nullptr;
  for (; cells.count < count; ++cells.count) {
    const std::vector<double> mean = left.mean();
    seed = left.farthest(cells.count % 2 == 0 ? mean.data() : seed);
    left.take(seed, count - cells.count, cells.count, cells);
    ticker.tick(static_cast<std::int64_t>(space.n) * cells.count / count);
  }
}

}  // namespace covey
