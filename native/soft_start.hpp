// Costs near those of the optimal transport, by letting records divide themselves among cells.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "distortion.hpp"
#include "poll.hpp"

namespace covey {

// A record divides itself among cells by exp(−(d + c)/(ease·scale)), by its own scale. The load of each cell is then a smooth function of the
// costs, and the costs that give the sizes maximise a concave one. It is climbed by Newton's steps, each solved for by
// conjugate gradients, while the ease falls until next to nothing is divided. The exact search mends the rest.
//
// Reference: M. Cuturi, "Sinkhorn distances: lightspeed computation of optimal transport".
// Time: some tens of passes over records and the cells near them. Scratch: 12 bytes a record and cell near it.
template <class Distortion, class Load>
class SoftStart {
 public:
  SoftStart(Distortion& distortion, Load load, std::span<const double> sizes, Ticker& ticker)
      : distortion_(distortion), load_(load), sizes_(sizes), ticker_(ticker), held_(sizes.size()), stiff_(sizes.size()) {}

  void climb(std::vector<double>& costs, double ease) {
    for (int level = 0; level < levels; ++level, ease /= 2.0) {
      double height = divide(costs, ease);
      for (int round = 0; round < rounds; ++round) {
        const std::vector<double> step = round == 0 ? alone() : newton();
        const double higher = climb_along(step, costs, ease, height);
        if (!(higher > height)) break;
        height = higher;
      }
    }
  }

 private:
  static constexpr int levels = 5, rounds = 4, solver_rounds = 60;
  static constexpr double reach = 12.0;  // e⁻¹² of a record is neglected

  // How records divide themselves at these costs; returns the concave function's value.
  double divide(const std::vector<double>& costs, double ease) {
    ticker_.tick(0);
    cells_.clear();
    shares_.clear();
    begin_.assign(1, 0);
    weights_.clear();
    std::fill(held_.begin(), held_.end(), 0.0);
    std::fill(stiff_.begin(), stiff_.end(), 0.0);
    double height = 0.0;
    distortion_.near(costs, reach * ease, ticker_, [&](Row place, std::span<const Bid> bids, std::size_t least) {
      const std::size_t first = shares_.size();
      const double own = ease * distortion_.scale(place), limit = bids[least].value + reach * own;
      double sum = 0.0;
      for (const Bid& bid : bids) {
        if (bid.value > limit) continue;
        cells_.push_back(bid.cell);
        sum += shares_.emplace_back(std::exp((bids[least].value - bid.value) / own));
      }
      const double load = load_(place);
      for (std::size_t i = first; i < shares_.size(); ++i) {
        shares_[i] /= sum;
        held_[static_cast<std::size_t>(cells_[i])] += load * shares_[i];
      }
      begin_.push_back(shares_.size());
      weights_.push_back(load / own);
      for (std::size_t i = first; i < shares_.size(); ++i) stiff_[static_cast<std::size_t>(cells_[i])] += shares_[i] * load / own;
      height += load * (bids[least].value - own * std::log(sum));
    });
    for (std::size_t q = 0; q < sizes_.size(); ++q) height -= sizes_[q] * costs[q];
    least_stiff_ = 1e-6 * *std::max_element(stiff_.begin(), stiff_.end());
    return height;
  }

  // What would mend each cell if the others stayed.
  std::vector<double> alone() const {
    std::vector<double> step(held_.size());
    for (std::size_t q = 0; q < step.size(); ++q)
      if (stiff_[q] > 0.0) step[q] = held_[q] / stiff_[q] * std::log(std::max(held_[q] / sizes_[q], 1e-3));
    return step;
  }

  // Solves Σ (load/ease)·(diag(share) − share shareᵀ)·step = held − sizes, by conjugate gradients.
  std::vector<double> newton() const {
    const std::size_t m = held_.size();
    std::vector<double> step(m, 0.0), rest(m), scaled(m), way(m), image(m);
    for (std::size_t q = 0; q < m; ++q) rest[q] = held_[q] - sizes_[q];
    double product = precondition(rest, scaled);
    const double enough = 1e-4 * product;
    way = scaled;
    for (int round = 0; round < solver_rounds && product > enough; ++round) {
      ticker_.tick(0);
      apply(way, image);
      const double length = product / std::max(dot(way, image), 1e-300);
      for (std::size_t q = 0; q < m; ++q) {
        step[q] += length * way[q];
        rest[q] -= length * image[q];
      }
      const double next = precondition(rest, scaled);
      for (std::size_t q = 0; q < m; ++q) way[q] = scaled[q] + next / product * way[q];
      product = next;
    }
    return step;
  }

  double precondition(const std::vector<double>& rest, std::vector<double>& scaled) const {
    for (std::size_t q = 0; q < rest.size(); ++q) scaled[q] = rest[q] / firm(q);
    return dot(rest, scaled);
  }

  // The diagonal, firmed a little: it is singular, and a cell that nobody is near has nothing on it.
  double firm(std::size_t q) const { return stiff_[q] * (1.0 + 1e-6) + least_stiff_; }

  static double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t q = 0; q < a.size(); ++q) sum += a[q] * b[q];
    return sum;
  }

  void apply(const std::vector<double>& way, std::vector<double>& image) const {
    for (std::size_t q = 0; q < way.size(); ++q) image[q] = firm(q) * way[q];
    for (std::size_t i = 0; i + 1 < begin_.size(); ++i) {
      double mean = 0.0;
      for (std::size_t at = begin_[i]; at < begin_[i + 1]; ++at) mean += shares_[at] * way[static_cast<std::size_t>(cells_[at])];
      mean *= weights_[i];
      for (std::size_t at = begin_[i]; at < begin_[i + 1]; ++at) image[static_cast<std::size_t>(cells_[at])] -= shares_[at] * mean;
    }
  }

  // The first of the step, its half, … that climbs; none if none does.
  double climb_along(const std::vector<double>& step, std::vector<double>& costs, double ease, double height) {
    const std::vector<double> before = costs;
    for (double length = 1.0; length > 1e-3; length /= 4.0) {
      for (std::size_t q = 0; q < costs.size(); ++q) costs[q] = before[q] + length * step[q];
      const double reached = divide(costs, ease);
      if (reached > height) return reached;
    }
    costs = before;
    divide(costs, ease);
    return height;
  }

  Distortion& distortion_;
  Load load_;
  std::span<const double> sizes_;
  Ticker& ticker_;
  std::vector<double> held_;            // of each cell
  std::vector<Cell> cells_;             // of each record in turn, those it goes to
  std::vector<double> shares_;          // and how much of it
  std::vector<std::size_t> begin_;
  std::vector<double> weights_;         // load/ease of each record
  std::vector<double> stiff_;           // the sum over records of share · load/ease
  double least_stiff_ = 0.0;
};

}  // namespace covey
