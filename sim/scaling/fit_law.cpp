#include "sim/scaling/fit_law.hpp"

#include <algorithm>
#include <cmath>

#include <Eigen/Dense>
#include <unsupported/Eigen/NonLinearOptimization>
#include <unsupported/Eigen/NumericalDiff>

namespace tofn {
inline namespace scaling {
namespace {

using Points = std::span<const ScalingPoint>;

/// T_law/T - 1 of each point, in the form that Eigen's solver takes.
struct Residuals {
  using Scalar = double;
  using InputType = Eigen::VectorXd;
  using ValueType = Eigen::VectorXd;
  using JacobianType = Eigen::MatrixXd;
  enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };

  const Law* law;
  Points points;

  int inputs() const { return static_cast<int>(law->parameters.size()); }
  int values() const { return static_cast<int>(points.size()); }
  int operator()(const InputType& parameters, ValueType& residuals) const {
    const std::span given(parameters.data(), static_cast<std::size_t>(parameters.size()));
    for (int i = 0; i < values(); ++i) {
      const ScalingPoint& point = points[static_cast<std::size_t>(i)];
      residuals[i] = law->time(given, point.accelerators) / point.minutes - 1;
    }
    return 0;
  }
};
using Derived = Eigen::NumericalDiff<Residuals, Eigen::Central>;

std::size_t sizes_of(Points points) {
  std::size_t sizes = 0;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (i == 0 || points[i].accelerators != points[i - 1].accelerators) ++sizes;
  return sizes;
}

/// Standard deviation of each parameter by least squares. Absent if there are as many parameters as
/// points, or if one of them does not change the times.
std::optional<Eigen::VectorXd> deviations(const Derived& residuals, const Eigen::VectorXd& best) {
  const int freedom = residuals.values() - residuals.inputs();
  if (freedom == 0) return {};
  Eigen::VectorXd left(residuals.values());
  Eigen::MatrixXd jacobian(residuals.values(), residuals.inputs());
  residuals(best, left);
  residuals.df(best, jacobian);
  // Scale columns to unit length, because parameters differ by many orders of magnitude.
  const Eigen::VectorXd lengths = jacobian.colwise().norm();
  if (!(lengths.minCoeff() > 0)) return {};
  jacobian = jacobian * lengths.cwiseInverse().asDiagonal();
  const Eigen::FullPivLU<Eigen::MatrixXd> normal(jacobian.transpose() * jacobian);
  if (!normal.isInvertible()) return {};
  const Eigen::VectorXd unscaled =
      (normal.inverse().diagonal() * (left.squaredNorm() / freedom)).cwiseMax(0.0).cwiseSqrt();
  return Eigen::VectorXd(unscaled.cwiseQuotient(lengths));
}

Accuracy error_of(const LawFit& fit, Points points) {
  std::vector<double> errors;
  for (const ScalingPoint& point : points)
    errors.push_back(fit.minutes(point.accelerators) / point.minutes - 1);
  return accuracy_of(errors);
}

/// Number of points that are not of the largest third of the sizes.
std::size_t seen_points(Points points) {
  const std::size_t hidden = std::max<std::size_t>(1, sizes_of(points) / 3);
  std::size_t seen = points.size();
  for (std::size_t size = 0; size < hidden && seen > 0; ++size) {
    const int largest = points[seen - 1].accelerators;
    while (seen > 0 && points[seen - 1].accelerators == largest) --seen;
  }
  return seen;
}

}  // namespace

double LawFit::minutes(double accelerators) const {
  std::vector<double> values;
  for (const FittedParameter& parameter : parameters) values.push_back(parameter.value);
  return law->time(values, accelerators);
}

std::optional<LawFit> fit_law(const Law& law, Points points) {
  if (sizes_of(points) < law.parameters.size()) return {};
  Derived residuals(Residuals{&law, points});
  const std::vector<double> start = law.start(points.front());
  Eigen::VectorXd best =
      Eigen::Map<const Eigen::VectorXd>(start.data(), static_cast<Eigen::Index>(start.size()));
  Eigen::LevenbergMarquardt<Derived> search(residuals);
  search.parameters.maxfev = 10'000;
  search.parameters.ftol = search.parameters.xtol = 1e-13;
  const auto ended = search.minimize(best);
  if (ended == Eigen::LevenbergMarquardtSpace::ImproperInputParameters ||
      ended == Eigen::LevenbergMarquardtSpace::TooManyFunctionEvaluation || !best.allFinite())
    return {};
  LawFit fit{.law = &law, .parameters = {}, .error = {}, .held_out = {}};
  const auto spread = deviations(residuals, best);
  const int freedom = residuals.values() - residuals.inputs();
  const double reach = spread ? student_quantile(0.95, freedom) : 0;
  for (Eigen::Index i = 0; i < best.size(); ++i) {
    FittedParameter& parameter = fit.parameters.emplace_back();
    parameter.value = best[i];
    if (spread)
      parameter.interval = Interval{best[i] - reach * (*spread)[i], best[i] + reach * (*spread)[i]};
  }
  fit.error = error_of(fit, points);
  return fit;
}

std::vector<LawFit> fit_laws(Points points) {
  std::vector<LawFit> fits;
  if (points.empty()) return fits;
  const Points seen = points.first(seen_points(points));
  for (const Law& law : laws()) {
    auto fit = fit_law(law, points);
    if (!fit) continue;
    if (const auto partial = seen.empty() ? std::nullopt : fit_law(law, seen))
      fit->held_out = LargerSizesError{.largest_seen = seen.back().accelerators,
                                       .error = error_of(*partial, points.subspan(seen.size()))};
    fits.push_back(std::move(*fit));
  }
  return fits;
}

}  // namespace scaling
}  // namespace tofn
