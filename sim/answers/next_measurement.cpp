#include "sim/answers/next_measurement.hpp"

#include <algorithm>
#include <cmath>

#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace answers {

std::vector<Measurement> ranked(std::vector<Measurement> all) {
  constexpr double alike = 1.1;
  std::ranges::stable_sort(all, {}, &Measurement::deviation);
  for (auto first = all.begin(); first != all.end();) {
    const double widest = alike * half_width(first->deviation);
    const auto next = std::find_if(first, all.end(), [&](const Measurement& each) {
      return half_width(each.deviation) > widest;
    });
    std::stable_sort(first, next, [](const Measurement& a, const Measurement& b) {
      return a.accelerator_hours < b.accelerator_hours;
    });
    first = next;
  }
  return all;
}

}  // namespace answers
}  // namespace tofn
