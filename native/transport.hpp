// Records to cells of given sizes at the least total distortion: the costs that make it so, and the cells.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "distortion.hpp"
#include "pair_numbers.hpp"
#include "poll.hpp"
#include "soft_start.hpp"

namespace covey {

// What is asked of the cells.
struct Volumes {
  std::vector<double> sizes;  // of each cell
  bool filled = true;         // sizes are met; otherwise none is passed
};

// The optimal transport of records to cells by shortest paths on the graph of cells. Every record begins where its own
// d + c is least. While a cell holds too many, the cheapest way is sought to pass records on, from cell to cell, until
// one has room: an arc q → r weighs what the cheapest record of q would lose in r. Costs rise along the way by just
// what it takes, so that every record stays where its own d + c is least, up to ties; by Theorem 4 of *PCL* no other
// assignment of those sizes has a lower distortion.
//
// Records of different loads are never split: sizes are then met to within the heaviest load.
//
// An arc keeps the records that are near its end, the cheapest on top. Those left out lose more than `reach` scales, or
// than the arc's own `beyond`; when a way gets as long as that, the arcs are filled anew around the costs of the day; where even wide ones
// do not suffice, as across a gap in the data, that one search looks at all cells.
//
// Reference: R. Jonker, A. Volgenant, "A shortest augmenting path algorithm for dense and sparse linear assignment
// problems". Time: O(n·(cells near a record)) to fill the arcs, and for each record in excess a search that is local where costs
// are warm. Scratch: O(n) and the arcs between neighbours.
template <class Distortion>
class Transport {
 public:
  // `loads`: empty for ones, or one a row.
  Transport(Distortion& distortion, std::span<const double> loads, Volumes volumes, Ticker& ticker)
      : distortion_(distortion), loads_(loads), volumes_(std::move(volumes)), ticker_(ticker),
        cell_(static_cast<std::size_t>(distortion.n())), held_(volumes_.sizes.size()), arcs_(volumes_.sizes.size()),
        distance_(volumes_.sizes.size()), from_(volumes_.sizes.size()), seen_(volumes_.sizes.size()),
        settled_(volumes_.sizes.size()), bound_(volumes_.sizes.size()) {
    for (Row place = 0; place < distortion_.n(); ++place) heaviest_ = std::max(heaviest_, load(place));
    reach_ = std::min(1.0, 3.0 / std::sqrt(static_cast<double>(distortion_.n()) / static_cast<double>(held_.size())));
  }

  // Adjusts the costs, from where they are, until the sizes are met.
  void adjust(std::vector<double>& costs) {
    costs_ = &costs;
    settle();
    if (volumes_.filled && all_wanted() && excess() > (large_cells() ? 0.1 : 0.02)) {
      if (!from_a_sample(costs))
        SoftStart(distortion_, [this](Row place) { return load(place); }, volumes_.sizes, ticker_).climb(costs, (large_cells() ? 0.1 : 0.25) * std::sqrt(excess()));
      settle();
    }
    // Loads that differ might be passed on in circles: after so many it is enough.
    passes_left_ = 64 * static_cast<std::int64_t>(distortion_.n()) + 64;
    do {
      pass_on([&](std::size_t q) { return surplus(q) >= heaviest_; }, [&](std::size_t q) { return surplus(q) < 0.0; });
      if (volumes_.filled && lacking())
        pass_on([&](std::size_t q) { return surplus(q) > 0.0 && lacking(); },
                [&](std::size_t q) { return surplus(q) <= -heaviest_; });
    } while (passes_left_ > 0 && overfull());
  }

  // Records that were passed on are as well off where they came from. Costs have room, though, between the last record
  // that stays and the first that would leave: each cost goes to the middle of its room, so that ties are told apart.
  // `labels` are optimal at these costs.
  void centre(std::vector<double>& costs, std::span<const std::int64_t> labels) {
    costs_ = &costs;
    for (Row place = 0; place < distortion_.n(); ++place)
      cell_[static_cast<std::size_t>(place)] = static_cast<Cell>(labels[static_cast<std::size_t>(distortion_.row(place))]);
    fill_arcs(false);
    // Offers left out have room for as much on either side.
    const double most = 0.5 * *std::min_element(bound_.begin(), bound_.end());
    std::vector<std::vector<Incoming>> incoming(arcs_.size());
    for (std::size_t q = 0; q < arcs_.size(); ++q)
      for (std::size_t i = 0; i < arcs_[q].size(); ++i)
        incoming[static_cast<std::size_t>(arcs_[q][i].to)].push_back({static_cast<Cell>(q), i});
    for (int round = 0; round < centring_rounds; ++round)
      for (std::size_t q = 0; q < arcs_.size(); ++q) find_room(static_cast<Cell>(q), incoming[q], most);
  }

  Cell cell(Row place) const { return cell_[static_cast<std::size_t>(place)]; }

 private:
  struct Offer {
    double key;  // d in the other cell less d in its own
    Row place;
    bool operator<(const Offer& other) const { return key > other.key || (key == other.key && place > other.place); }
  };
  struct Arc {
    Cell to;
    double beyond = std::numeric_limits<double>::infinity();  // offers left out have keys of at least this
    std::vector<Offer> offers;                                // a heap, the least key on top
  };
  struct Reached {
    double distance;
    Cell cell;
    bool operator<(const Reached& other) const {
      return distance > other.distance || (distance == other.distance && cell > other.cell);
    }
  };
  // From where a search reached a cell, and the record to pass on there.
  struct Came {
    Cell cell;
    Row place;
  };
  struct Incoming {
    Cell from;
    std::size_t arc;
  };

  double load(Row place) const { return loads_.empty() ? 1.0 : loads_[static_cast<std::size_t>(distortion_.row(place))]; }
  double surplus(std::size_t q) const { return held_[q] - volumes_.sizes[q]; }
  double& cost(Cell q) { return (*costs_)[static_cast<std::size_t>(q)]; }
  bool overfull() const {
    for (std::size_t q = 0; q < held_.size(); ++q)
      if (surplus(q) >= heaviest_) return true;
    return false;
  }
  bool lacking() const {
    for (std::size_t q = 0; q < held_.size(); ++q)
      if (surplus(q) <= -heaviest_) return true;
    return false;
  }

  // --- a start near the end ---

  // Then ways are short and the search is quick, and records that are equal make an excess that no costs would mend.
  bool large_cells() const { return static_cast<std::size_t>(distortion_.n()) > 64 * held_.size(); }

  bool all_wanted() const {
    return std::all_of(volumes_.sizes.begin(), volumes_.sizes.end(), [](double size) { return size > 0.0; });
  }

  // The share of all loads that is in cells where it is too much.
  double excess() const {
    double excess = 0.0, all = 0.0;
    for (std::size_t q = 0; q < held_.size(); ++q) {
      excess += std::max(0.0, surplus(q));
      all += held_[q];
    }
    return excess / all;
  }

  // Costs for every eighth record are near those for all.
  bool from_a_sample(std::vector<double>& costs) {
    if constexpr (requires { distortion_.sample(8); }) {
      constexpr Row stride = 8;
      if (static_cast<std::size_t>(distortion_.n()) < 64 * stride * held_.size()) return false;
      Distortion part = distortion_.sample(stride);
      Transport(part, loads_, shares(part), ticker_).adjust(costs);
      return true;
    }
    return false;
  }

  // The sizes for a part of the records, whole numbers where all loads are 1.
  Volumes shares(const Distortion& part) const {
    double all = 0.0, some = 0.0;
    for (Row place = 0; place < distortion_.n(); ++place) all += load(place);
    for (Row place = 0; place < part.n(); ++place)
      some += loads_.empty() ? 1.0 : loads_[static_cast<std::size_t>(part.row(place))];
    Volumes volumes{volumes_.sizes, volumes_.filled};
    double sum = 0.0, given = 0.0;
    for (double& size : volumes.sizes) {
      sum += size * (some / all);
      size = loads_.empty() ? (volumes_.filled ? std::floor(sum + 1e-6) : std::ceil(sum - 1e-6)) - given : sum - given;
      given += size;
    }
    if (volumes_.filled) volumes.sizes.back() += some - given;
    return volumes;
  }

  // --- arcs ---

  // Every record goes where its own d + c is least.
  void settle() {
    std::fill(held_.begin(), held_.end(), 0.0);
    fill_arcs(true);
    for (Row place = 0; place < distortion_.n(); ++place) held_[static_cast<std::size_t>(cell(place))] += load(place);
  }

  void fill_arcs(bool choose) {
    for (auto& arcs : arcs_) arcs.clear();
    numbers_.clear();
    offers_ = 0;
    limit_ = 2 * room_for_offers();
    std::fill(bound_.begin(), bound_.end(), std::numeric_limits<double>::infinity());
    distortion_.near(*costs_, reach_, ticker_, [&](Row place, std::span<const Bid> bids, std::size_t least) {
      Cell& own = cell_[static_cast<std::size_t>(place)];
      if (choose) own = bids[least].cell;
      const double here = choose ? bids[least].distortion : distortion_(place, own);
      const double margin = reach_ * distortion_.scale(place), limit = bids[least].value + margin;
      keep_bound(own, margin);
      for (const Bid& bid : bids)
        if (bid.cell != own && bid.value <= limit) offer(own, bid.cell, {bid.distortion - here, place});
      if (offers_ > limit_) trim();
    });
    if (offers_ > limit_ / 2) trim();
    for (auto& arcs : arcs_)
      for (Arc& arc : arcs) std::make_heap(arc.offers.begin(), arc.offers.end());
    at_filling_ = *costs_;
    ticker_.tick(0);
  }

  // Whatever was left out of a cell's offers loses more than this, at the costs when arcs were filled.
  void keep_bound(Cell q, double margin) {
    double& bound = bound_[static_cast<std::size_t>(q)];
    bound = std::min(bound, margin);
  }
  double risen(Cell q) { return cost(q) - at_filling_[static_cast<std::size_t>(q)]; }

  std::size_t room_for_offers() const { return 8 * cell_.size() + 4096; }

  Arc& arc(Cell from, Cell to) {
    auto& arcs = arcs_[static_cast<std::size_t>(from)];
    const std::size_t known = numbers_.find_or_put(from, to, arcs.size());
    return known < arcs.size() ? arcs[known] : arcs.emplace_back(Arc{to});
  }

  void offer(Cell from, Cell to, Offer offer) {
    arc(from, to).offers.push_back(offer);
    ++offers_;
  }

  // Leaves out the offers that are likely the last to be taken.
  void trim() {
    std::size_t count = 0;
    for (const auto& arcs : arcs_) count += arcs.size();
    const std::size_t keep = std::max<std::size_t>(1, room_for_offers() / 2 / count);
    offers_ = 0;
    for (auto& arcs : arcs_)
      for (Arc& arc : arcs) {
        if (arc.offers.size() > keep) {
          const auto last = arc.offers.begin() + static_cast<std::ptrdiff_t>(keep);
          std::nth_element(arc.offers.begin(), last, arc.offers.end(), [](const Offer& a, const Offer& b) { return b < a; });
          arc.beyond = std::min(arc.beyond, last->key);
          arc.offers.resize(keep);
        }
        offers_ += arc.offers.size();
      }
    limit_ = std::max(limit_, 2 * offers_);
  }

  // --- ways ---

  // While `over` holds of a cell, a record's load is passed on from it to a cell of which `room` holds.
  template <class Over, class Room>
  void pass_on(Over over, Room room) {
    for (bool again = true; again;) {
      again = false;
      for (std::size_t q = 0; q < held_.size(); ++q)
        while (over(q) && passes_left_-- > 0) {
          pass_one_on(static_cast<Cell>(q), room);
          again = !loads_.empty();
        }
    }
  }

  template <class Room>
  void pass_one_on(Cell source, Room room) {
    for (;;) {
      const Cell end = shortest_way(source, room);
      if (end != no_cell_found && distance_[static_cast<std::size_t>(end)] <= horizon_) {
        raise_costs(distance_[static_cast<std::size_t>(end)]);
        move_along(end);
        return;
      }
      if (*costs_ != at_filling_) {
        fill_arcs(false);
      } else if (reach_ < most_reach) {
        reach_ *= 2.0;
        fill_arcs(false);
      } else {
        pass_one_far(source, room);
        return;
      }
    }
  }

  // Where cells with room are beyond all neighbours, as across a gap in the data, every cell is looked at.
  template <class Room>
  void pass_one_far(Cell source, Room room) {
    const Cell end = shortest_way_of_all(source, room);
    if (end == no_cell_found) throw std::runtime_error("no cell has room");
    raise_costs(distance_[static_cast<std::size_t>(end)]);
    move_along(end);
  }

  // The same cell, without arcs. Time: O(n·m) at worst.
  template <class Room>
  Cell shortest_way_of_all(Cell source, Room room) {
    std::vector<std::vector<Row>> members(held_.size());
    for (Row place = 0; place < distortion_.n(); ++place) members[static_cast<std::size_t>(cell(place))].push_back(place);
    std::priority_queue<Reached> queue;
    begin_search(source, queue);
    while (!queue.empty()) {
      const Reached next = queue.top();
      queue.pop();
      if (!settle_cell(next.cell)) continue;
      if (next.cell != source && room(static_cast<std::size_t>(next.cell))) return next.cell;
      for (const Row place : members[static_cast<std::size_t>(next.cell)]) {
        ticker_.tick(0);
        const double here = distortion_(place, next.cell) + cost(next.cell);
        for (Cell q = 0; q < distortion_.cells(); ++q)
          if (settled_[static_cast<std::size_t>(q)] != search_)
            reach(q, next.distance + std::max(0.0, distortion_(place, q) + cost(q) - here), {next.cell, place}, queue);
      }
    }
    return no_cell_found;
  }

  // The cell with room that is nearest to the source; ways longer than `horizon_` may not be the shortest.
  template <class Room>
  Cell shortest_way(Cell source, Room room) {
    horizon_ = std::numeric_limits<double>::infinity();
    std::priority_queue<Reached> queue;
    begin_search(source, queue);
    while (!queue.empty()) {
      const Reached next = queue.top();
      queue.pop();
      const auto v = static_cast<std::size_t>(next.cell);
      if (!settle_cell(next.cell)) continue;
      if (next.cell != source && room(v)) return next.cell;
      horizon_ = std::min(horizon_, next.distance + bound_[v] - risen(next.cell));
      for (std::size_t i = 0; i < arcs_[v].size(); ++i) relax(next, i, queue);
    }
    return no_cell_found;
  }

  void begin_search(Cell source, std::priority_queue<Reached>& queue) {
    ticker_.tick(0);
    ++search_;
    visited_.clear();
    reach(source, 0.0, {source, 0}, queue);
  }

  // False if it was before.
  bool settle_cell(Cell q) {
    if (std::exchange(settled_[static_cast<std::size_t>(q)], search_) == search_) return false;
    visited_.push_back(q);
    return true;
  }

  void relax(const Reached& at, std::size_t i, std::priority_queue<Reached>& queue) {
    Arc& arc = arcs_[static_cast<std::size_t>(at.cell)][i];
    drop_gone(arc, at.cell);
    const double rise = cost(arc.to) - cost(at.cell);
    if (arc.offers.empty() || arc.offers.front().key > arc.beyond) {
      horizon_ = std::min(horizon_, at.distance + arc.beyond + rise);
      return;
    }
    reach(arc.to, at.distance + std::max(0.0, arc.offers.front().key + rise), {at.cell, arc.offers.front().place}, queue);
  }

  void drop_gone(Arc& arc, Cell from) {
    while (!arc.offers.empty() && cell(arc.offers.front().place) != from) {
      std::pop_heap(arc.offers.begin(), arc.offers.end());
      arc.offers.pop_back();
    }
  }

  void reach(Cell q, double distance, Came came, std::priority_queue<Reached>& queue) {
    const auto v = static_cast<std::size_t>(q);
    if (settled_[v] == search_ || (seen_[v] == search_ && distance_[v] <= distance)) return;
    seen_[v] = search_;
    distance_[v] = distance;
    from_[v] = came;
    queue.push({distance, q});
  }

  void raise_costs(double length) {
    for (const Cell q : visited_) cost(q) += length - std::min(length, distance_[static_cast<std::size_t>(q)]);
  }

  void move_along(Cell end) {
    way_.clear();
    for (Cell to = end; from_[static_cast<std::size_t>(to)].cell != to; to = from_[static_cast<std::size_t>(to)].cell) {
      const Came& came = from_[static_cast<std::size_t>(to)];
      way_.push_back({to, came.place});
    }
    for (const auto& [to, place] : way_) move(place, to);
  }

  void move(Row place, Cell to) {
    Cell& own = cell_[static_cast<std::size_t>(place)];
    held_[static_cast<std::size_t>(own)] -= load(place);
    held_[static_cast<std::size_t>(to)] += load(place);
    own = to;
    const double here = distortion_(place, to), margin = reach_ * distortion_.scale(place);
    keep_bound(to, margin);
    for (const Cell q : distortion_.remembered(place)) {
      const double key = distortion_(place, q) - here;
      if (q == to || key + cost(q) - cost(to) > margin) continue;
      Arc& other = arc(to, q);
      other.offers.push_back({key, place});
      std::push_heap(other.offers.begin(), other.offers.end());
    }
  }

  void find_room(Cell q, const std::vector<Incoming>& incoming, double most) {
    double up = most - risen(q), down = most + risen(q);
    for (const Arc& arc : arcs_[static_cast<std::size_t>(q)])
      up = std::min(up, arc.offers.front().key + cost(arc.to) - cost(q));
    for (const auto& [from, i] : incoming) {
      const Arc& arc = arcs_[static_cast<std::size_t>(from)][i];
      down = std::min(down, arc.offers.front().key + cost(q) - cost(from));
    }
    cost(q) += 0.5 * (std::max(0.0, up) - std::max(0.0, down));
  }

  static constexpr double most_reach = 2.0;  // lists of neighbours are long by then, and stay in O(n)
  static constexpr int centring_rounds = 8;
  static constexpr Cell no_cell_found = -1;

  struct Move {
    Cell to;
    Row place;
  };

  Distortion& distortion_;
  std::span<const double> loads_;
  Volumes volumes_;
  Ticker& ticker_;
  std::vector<double>* costs_ = nullptr;
  std::vector<Cell> cell_;             // of every place
  std::vector<double> held_;           // load in each cell
  double heaviest_ = 0.0;
  std::int64_t passes_left_ = 0;
  std::vector<std::vector<Arc>> arcs_; // from each cell
  PairNumbers numbers_;                // where in arcs_[from] the one to a cell is
  std::size_t offers_ = 0, limit_ = 0;  // offers held, and how many before some are left out
  double reach_;                       // at first for a few offers from a record: where cells are large, few are near others
  std::vector<double> at_filling_;     // the costs when arcs were filled
  std::vector<double> bound_;          // of each cell, what was left out of its offers loses at least

  std::vector<double> distance_;       // of the search under way, where seen_ says so
  std::vector<Came> from_;
  std::vector<std::uint64_t> seen_, settled_;
  std::uint64_t search_ = 0;
  std::vector<Cell> visited_;
  double horizon_ = 0.0;
  std::vector<Move> way_;
};

}  // namespace covey
