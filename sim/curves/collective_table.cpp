#include "sim/curves/collective_table.hpp"

#include <algorithm>
#include <cassert>
#include <tuple>

#include <fmt/format.h>

#include "sim/core/name_table.hpp"
#include "sim/core/words.hpp"

namespace tofn {
inline namespace curves {

Seconds CollectiveRow::time() const {
  assert(out_of_place || in_place);
  if (!out_of_place) return *in_place;
  if (!in_place) return *out_of_place;
  return std::min(*out_of_place, *in_place);
}

std::string measured_twice(std::span<const CollectiveTable> tables) {
  const auto key = [](const CollectiveTable& table) {
    return std::tie(table.collective, table.ranks, table.nodes);
  };
  for (auto one = tables.begin(); one != tables.end(); ++one)
    for (auto other = tables.begin(); other != one; ++other)
      if (is_free_choice(*one) && is_free_choice(*other) && key(*one) == key(*other))
        return fmt::format(
            "{} over {} on {} is measured twice, in {} and {}: a calibration holds it once, leave "
            "one of them out",
            name_of(one->collective), counted(one->ranks, "rank"), counted(one->nodes, "node"),
            other->file, one->file);
  return {};
}

}  // namespace curves
}  // namespace tofn
