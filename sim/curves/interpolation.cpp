#include <algorithm>

#include "sim/curves/forms.hpp"
#include "sim/curves/line.hpp"

namespace tofn {
inline namespace curves {

namespace {

/// Line beyond an end, with the slope of the last two rows, at least 0 and at most t/S.
Line line_beyond(const Sample& end, const Sample& inner) {
  const double slope = (end.time - inner.time) / (end.size - inner.size);
  const double per_byte = std::clamp(slope, 0.0, end.time / end.size);
  return {end.time - per_byte * end.size, per_byte};
}

double between(const Sample& a, const Sample& b, double size) {
  return a.time + (size - a.size) * (b.time - a.time) / (b.size - a.size);
}

}  // namespace

std::vector<double> predict_interpolation(std::span<const Sample> samples,
                                          std::span<const double> sizes) {
  std::vector<double> times;
  times.reserve(sizes.size());
  const Sample& first = samples.front();
  const Sample& last = samples.back();
  // One row does not separate latency from bandwidth: constant below it, proportional above.
  const bool single = samples.size() == 1;
  const Line below = single ? Line{first.time, 0} : line_beyond(first, samples[1]);
  const Line above =
      single ? Line{0, last.time / last.size} : line_beyond(last, samples[samples.size() - 2]);
  for (const double size : sizes) {
    if (size < first.size) {
      times.push_back(below.at(size));
    } else if (size >= last.size) {
      times.push_back(above.at(size));
    } else {
      const auto right = std::upper_bound(samples.begin(), samples.end(), size,
                                          [](double s, const Sample& row) { return s < row.size; });
      times.push_back(between(*(right - 1), *right, size));
    }
  }
  return times;
}

}  // namespace curves
}  // namespace tofn
