#include "sim/curves/collective_table.hpp"

#include <algorithm>
#include <cassert>

namespace tofn {
inline namespace curves {

Seconds CollectiveRow::time() const {
  assert(out_of_place || in_place);
  if (!out_of_place) return *in_place;
  if (!in_place) return *out_of_place;
  return std::min(*out_of_place, *in_place);
}

}  // namespace curves
}  // namespace tofn
