// Squared distances of a point from many that are given column by column.
#pragma once

#include <cstddef>

namespace covey {

// Column j of what there is begins at values + j·stride.
struct ByColumn {
  const double* values;
  std::size_t d, stride;
};

// Of the first `count`, summed in column order. Time: O(count·d), several at a time.
void squares_from(const double* point, const ByColumn& many, std::size_t count, double* squares);

}  // namespace covey
