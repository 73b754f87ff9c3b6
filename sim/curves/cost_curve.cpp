#include "sim/curves/cost_curve.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "sim/curves/isotonic.hpp"

namespace tofn {
inline namespace curves {

double CostCurve::size_of(int point) {
  return std::exp2(static_cast<double>(point) / steps_per_octave);
}

CostCurve::CostCurve(std::vector<CurvePoint> table, std::vector<double> measured, Basis strongest,
                     double nodes_beyond)
    : table_(std::move(table)),
      measured_(std::move(measured)),
      strongest_(strongest),
      nodes_beyond_(nodes_beyond) {
  assert(table_.size() == points && !measured_.empty());
  std::vector<double> times;
  times.reserve(table_.size());
  for (const CurvePoint& point : table_) times.push_back(point.time);
  level_falls(times);
  for (std::size_t i = 0; i < table_.size(); ++i) {
    CurvePoint& point = table_[i];
    point.width = std::hypot(point.width, point.time - times[i]);
    point.time = times[i];
  }
}

Basis CostCurve::basis_at(double size) const {
  if (size < measured_.front() || size > measured_.back()) return Basis::Extrapolated;
  const bool known = std::binary_search(measured_.begin(), measured_.end(), size);
  return weakest(known ? Basis::Measured : Basis::Interpolated, strongest_);
}

double CostCurve::beyond_at(double size) const {
  const double below = measured_.front() / std::max(size, 1.0);
  return std::max({1.0, below, size / measured_.back(), nodes_beyond_});
}

CurveAnswer CostCurve::at(Bytes size) const {
  const double place = std::log2(std::max(size.base(), 1.0)) * steps_per_octave;
  const double within = std::min(place, static_cast<double>(points - 1));
  const std::size_t left = std::min(static_cast<std::size_t>(within), table_.size() - 2);
  const double share = within - static_cast<double>(left);
  const CurvePoint& a = table_[left];
  const CurvePoint& b = table_[left + 1];
  const double time = std::exp(a.time + share * (b.time - a.time));
  const double factor = std::exp(a.width + share * (b.width - a.width));
  return {Seconds{time}, Seconds{time / factor}, Seconds{time * factor}, basis_at(size.base()),
          beyond_at(size.base())};
}

}  // namespace curves
}  // namespace tofn
