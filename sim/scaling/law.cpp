#include <array>
#include <cmath>

#include "sim/scaling/fit_law.hpp"

namespace tofn {
inline namespace scaling {
namespace {

using Parameters = std::span<const double>;

constexpr std::array<std::string_view, 2> serial{"T1", "s"};
constexpr std::array<std::string_view, 3> universal{"T1", "sigma", "kappa"};
constexpr std::array<std::string_view, 3> affine_log{"a", "b", "c"};
constexpr std::array<std::string_view, 3> communication{"T_comp", "l", "h"};

double amdahl_time(Parameters p, double n) { return p[0] * (p[1] + (1 - p[1]) / n); }
double gustafson_time(Parameters p, double n) { return p[0] / (n - p[1] * (n - 1)); }
double universal_time(Parameters p, double n) {
  return p[0] * (1 + p[1] * (n - 1) + p[2] * n * (n - 1)) / n;
}
double affine_log_time(Parameters p, double n) { return p[0] + p[1] * n + p[2] * std::log(n); }
double communication_time(Parameters p, double n) { return p[0] / n + p[1] + p[2] * std::log2(n); }

double alone(const ScalingPoint& point) { return point.minutes * point.accelerators; }

constexpr double small_share = 0.01;

std::vector<double> start_of_share(const ScalingPoint& point) {
  return {alone(point), small_share};
}
std::vector<double> start_of_universal(const ScalingPoint& point) {
  return {alone(point), small_share, 0};
}
std::vector<double> start_of_constant(const ScalingPoint& point) { return {point.minutes, 0, 0}; }
std::vector<double> start_of_work(const ScalingPoint& point) { return {alone(point), 0, 0}; }

}  // namespace

std::span<const Law> laws() {
  static constexpr std::array table{
      Law{"amdahl", "S = 1/(s + (1-s)/N)", serial, amdahl_time, start_of_share},
      Law{"gustafson", "S = N - s(N-1)", serial, gustafson_time, start_of_share},
      Law{"universal", "S = N/(1 + sigma(N-1) + kappa N(N-1))", universal, universal_time,
          start_of_universal},
      Law{"affine-log", "T = a + b N + c ln N", affine_log, affine_log_time, start_of_constant},
      Law{"communication", "T = T_comp/N + l + h log2 N", communication, communication_time,
          start_of_work},
  };
  return table;
}

}  // namespace scaling
}  // namespace tofn
