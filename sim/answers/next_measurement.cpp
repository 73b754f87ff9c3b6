#include "sim/answers/next_measurement.hpp"

#include <algorithm>
#include <cmath>

#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace answers {

std::vector<Measurement> narrowing(std::vector<Measurement> all, double deviation) {
  constexpr double least = 0.005;
  std::erase_if(all, [&](const Measurement& each) {
    return half_width(each.deviation) > (1 - least) * half_width(deviation);
  });
  return all;
}

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
