#include "sim/curves/line.hpp"

namespace tofn {
inline namespace curves {

double misfit(const Line& line, std::span<const Sample> samples) {
  double sum = 0;
  for (const Sample& sample : samples) {
    const double error = line.at(sample.size) / sample.time - 1;
    sum += error * error;
  }
  return sum;
}

Line fit_line(std::span<const Sample> samples) {
  double uu = 0, uv = 0, vv = 0, u1 = 0, v1 = 0;
  for (const Sample& sample : samples) {
    const double u = 1 / sample.time;
    const double v = sample.size / sample.time;
    uu += u * u, uv += u * v, vv += v * v, u1 += u, v1 += v;
  }
  const Line flat{u1 / uu, 0};
  const Line steep{0, v1 / vv};
  const double determinant = uu * vv - uv * uv;
  if (determinant > 1e-12 * uu * vv) {
    const Line both{(vv * u1 - uv * v1) / determinant, (uu * v1 - uv * u1) / determinant};
    if (both.latency >= 0 && both.per_byte >= 0) return both;
  }
  return misfit(flat, samples) <= misfit(steep, samples) ? flat : steep;
}

}  // namespace curves
}  // namespace tofn
