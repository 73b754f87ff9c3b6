#include <algorithm>
#include <cmath>

#include "sim/curves/forms.hpp"

namespace tofn {
inline namespace curves {

namespace {

using Vector = std::vector<double>;

/// Terms of the form at one size, with steps at these sizes.
Vector terms(double size, const Vector& steps) {
  Vector values{1, size};
  for (const double step : steps) values.push_back(size / (size + step));
  return values;
}

/// Non-negative least squares of matrix * x = 1 by coordinate descent, columns of length 1.
Vector solve_non_negative(const std::vector<Vector>& matrix) {
  const std::size_t unknowns = matrix.front().size();
  std::vector<Vector> gram(unknowns, Vector(unknowns, 0));
  Vector slope(unknowns, 0);
  for (const Vector& row : matrix) {
    for (std::size_t i = 0; i < unknowns; ++i) {
      slope[i] -= row[i];
      for (std::size_t j = 0; j < unknowns; ++j) gram[i][j] += row[i] * row[j];
    }
  }
  Vector x(unknowns, 0);
  for (int sweep = 0; sweep < 2000; ++sweep) {
    double largest = 0;
    for (std::size_t i = 0; i < unknowns; ++i) {
      const double next = std::max(0.0, x[i] - slope[i] / gram[i][i]);
      const double change = next - x[i];
      if (change == 0) continue;
      x[i] = next;
      for (std::size_t j = 0; j < unknowns; ++j) slope[j] += change * gram[i][j];
      largest = std::max(largest, std::abs(change));
    }
    if (largest < 1e-9) break;
  }
  return x;
}

}  // namespace

std::vector<double> predict_smooth(std::span<const Sample> samples, std::span<const double> sizes) {
  Vector steps;
  for (double step = samples.front().size; step < samples.back().size; step *= 4) {
    steps.push_back(step);
  }
  std::vector<Vector> matrix;
  Vector scale(steps.size() + 2, 0);
  for (const Sample& sample : samples) {
    Vector row = terms(sample.size, steps);
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] /= sample.time;
      scale[i] = std::hypot(scale[i], row[i]);
    }
    matrix.push_back(std::move(row));
  }
  for (Vector& row : matrix) {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] /= scale[i];
  }
  const Vector x = solve_non_negative(matrix);
  Vector times;
  for (const double size : sizes) {
    const Vector values = terms(size, steps);
    double time = 0;
    for (std::size_t i = 0; i < values.size(); ++i) time += x[i] / scale[i] * values[i];
    times.push_back(time);
  }
  return times;
}

}  // namespace curves
}  // namespace tofn
