#include "overlay.hpp"

#include <algorithm>
#include <numeric>

namespace covey {

Overlay::Overlay(std::span<const Label> first, std::span<const Label> second, Label cells)
    : first_(first), cells_(static_cast<std::size_t>(cells)), above_(2 * cells_) {
  std::iota(above_.begin(), above_.end(), std::size_t{0});
  for (std::size_t i = 0; i < first.size(); ++i) {
    const std::size_t a = root(static_cast<std::size_t>(first[i]));
    const std::size_t b = root(cells_ + static_cast<std::size_t>(second[i]));
    above_[std::max(a, b)] = std::min(a, b);
  }
}

std::size_t Overlay::root(std::size_t cell) {
  while (above_[cell] != cell) cell = above_[cell] = above_[above_[cell]];
  return cell;
}

std::vector<bool> Overlay::second_is_better(std::span<const double> first_costs, std::span<const double> second_costs) {
  std::vector<double> first(above_.size(), 0.0), second(above_.size(), 0.0);
  for (std::size_t cell = 0; cell < cells_; ++cell) {
    first[root(cell)] += first_costs[cell];
    second[root(cells_ + cell)] += second_costs[cell];
  }
  std::vector<bool> better(first_.size());
  for (std::size_t i = 0; i < first_.size(); ++i) {
    const std::size_t component = root(static_cast<std::size_t>(first_[i]));
    better[i] = second[component] < first[component];
  }
  return better;
}

}  // namespace covey
