#include "squares.hpp"

#include "clones.hpp"

namespace covey {

COVEY_CLONES void squares_from(const double* point, const ByColumn& many, std::size_t count, double* squares) {
  for (std::size_t i = 0; i < count; ++i) squares[i] = 0.0;
  const double* column = many.values;
  for (std::size_t j = 0; j < many.d; ++j, column += many.stride)
    for (std::size_t i = 0; i < count; ++i) {
      const double t = column[i] - point[j];
      squares[i] += t * t;
    }
}

}  // namespace covey
