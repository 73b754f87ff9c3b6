#include "sim/answers/run_point.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace answers {

void require_any(const std::vector<RunPoint>& points) {
  const bool any = std::any_of(points.begin(), points.end(),
                               [](const RunPoint& point) { return point.estimate.has_value(); });
  if (any) return;
  const RunPoint& first = points.front();
  throw InputError({}, fmt::format("N = {}", first.accelerators),
                   first.skipped_because + (points.size() > 1 ? " (nor any other N)" : ""));
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

bool all_fit(const std::vector<RunPoint>& points) {
  return std::all_of(points.begin(), points.end(),
                     [](const RunPoint& point) { return point.fits; });
}

}  // namespace answers
}  // namespace tofn
