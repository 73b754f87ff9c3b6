#include "sim/calibration/fit_figures.hpp"

#include <cmath>

#include <Eigen/Dense>

namespace tofn {
inline namespace calibration {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

class FigureFit {
 public:
  FigureFit(std::span<const FittedFigure> typical, double noise, const ErrorsOf& errors)
      : typical_(typical), noise_(noise), errors_(errors) {}

  std::vector<double> figures_at(const VectorXd& moves) const {
    std::vector<double> figures;
    for (std::size_t i = 0; i < typical_.size(); ++i)
      figures.push_back(typical_[i].typical * std::exp(moves[static_cast<Index>(i)]));
    return figures;
  }
  std::vector<WeighedError> errors_at(const VectorXd& moves) const {
    return errors_(figures_at(moves));
  }
  double cost(const std::vector<WeighedError>& errors, const VectorXd& moves) const {
    double sum = 0;
    for (const WeighedError& each : errors)
      sum += 2 * each.weight * (std::hypot(1, each.error / noise_) - 1);
    for (std::size_t i = 0; i < typical_.size(); ++i)
      sum += std::pow(moves[static_cast<Index>(i)] / typical_[i].deviation, 2);
    return sum;
  }
  /// Adds the normal equations of the reweighted least squares at these moves.
  void linearise(const std::vector<WeighedError>& errors, const VectorXd& moves, MatrixXd& normal,
                 VectorXd& gradient) const {
    constexpr double step = 1e-4;
    const auto size = static_cast<Index>(typical_.size());
    MatrixXd slopes(static_cast<Index>(errors.size()), size);
    for (Index i = 0; i < size; ++i) {
      VectorXd moved = moves;
      moved[i] += step;
      const auto after = errors_at(moved);
      for (std::size_t row = 0; row < errors.size(); ++row)
        slopes(static_cast<Index>(row), i) = (after[row].error - errors[row].error) / step;
    }
    normal = MatrixXd::Zero(size, size);
    gradient = VectorXd::Zero(size);
    for (std::size_t row = 0; row < errors.size(); ++row) {
      const double weight =
          errors[row].weight / (noise_ * noise_) / std::hypot(1, errors[row].error / noise_);
      const VectorXd slope = slopes.row(static_cast<Index>(row));
      normal += weight * slope * slope.transpose();
      gradient += weight * errors[row].error * slope;
    }
    for (Index i = 0; i < size; ++i) {
      const double known = std::pow(typical_[static_cast<std::size_t>(i)].deviation, -2);
      normal(i, i) += known;
      gradient[i] += known * moves[i];
    }
  }

 private:
  std::span<const FittedFigure> typical_;
  double noise_;
  const ErrorsOf& errors_;
};

}  // namespace

std::vector<double> fit_figures(std::span<const FittedFigure> typical, double noise,
                                const ErrorsOf& errors_of) {
  const FigureFit fit(typical, noise, errors_of);
  VectorXd moves = VectorXd::Zero(static_cast<Index>(typical.size()));
  auto errors = fit.errors_at(moves);
  double cost = fit.cost(errors, moves);
  double damping = 1e-3;
  constexpr int most_rounds = 60;
  for (int round = 0; round < most_rounds && damping < 1e6; ++round) {
    MatrixXd normal;
    VectorXd gradient;
    fit.linearise(errors, moves, normal, gradient);
    normal.diagonal() *= 1 + damping;
    const VectorXd next = moves - normal.ldlt().solve(gradient);
    const auto next_errors = fit.errors_at(next);
    const double next_cost = fit.cost(next_errors, next);
    if (!(next_cost < cost)) {
      damping *= 10;
      continue;
    }
    const bool is_settled = cost - next_cost < 1e-9 * cost;
    moves = next;
    errors = next_errors;
    cost = next_cost;
    damping /= 10;
    if (is_settled) break;
  }
  return fit.figures_at(moves);
}

}  // namespace calibration
}  // namespace tofn
