#include "sim/measurements/collective_table.hpp"

#include <algorithm>
#include <cassert>

namespace tofn {
inline namespace measurements {

Seconds CollectiveRow::time() const {
  assert(out_of_place || in_place);
  if (!out_of_place) return *in_place;
  if (!in_place) return *out_of_place;
  return std::min(*out_of_place, *in_place);
}

}  // namespace measurements
}  // namespace tofn
