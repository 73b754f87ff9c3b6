#include "sim/answers/run_point.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace answers {

std::string refusal_of_all(const std::string& first, std::size_t count) {
  if (count == 1) return first;
  return count == 2 ? first + " (nor can the other be had)"
                    : fmt::format("{} (nor can any of the other {} be had)", first, count - 1);
}

std::string missing_memory(Bytes held, Bytes there) {
  return fmt::format("an accelerator needs {:.1f} GB of memory and has {:.1f}", held.base() / 1e9,
                     there.base() / 1e9);
}

void require_any(const std::vector<RunPoint>& points) {
  const bool any =
      std::ranges::any_of(points, [](const RunPoint& point) { return point.estimate.has_value(); });
  if (any) return;
  const RunPoint& first = points.front();
  throw InputError({}, fmt::format("N = {}", first.accelerators),
                   refusal_of_all(first.skipped_because, points.size()));
}

std::vector<const RunPoint*> compared(const std::vector<RunPoint>& points) {
  std::vector<const RunPoint*> found;
  for (const bool must_fit : {true, false}) {
    for (const RunPoint& point : points)
      if (point.estimate && (point.fits || !must_fit)) found.push_back(&point);
    if (!found.empty()) break;
  }
  return found;
}

bool may_keep(const std::vector<RunPoint>& points, const std::vector<RunLimit>& limits) {
  return limits.empty() || std::ranges::any_of(points, [&](const RunPoint& point) {
           return point.estimate && chance_of(*point.estimate, limits) >= 0.5;
         });
}

bool all_fit(const std::vector<RunPoint>& points) {
  return std::ranges::all_of(points, [](const RunPoint& point) { return point.fits; });
}

}  // namespace answers
}  // namespace tofn
