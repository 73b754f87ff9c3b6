#pragma once

#include "sim/expense/expense.hpp"
#include "sim/training/run.hpp"
#include "sim/training/run_estimate.hpp"

namespace tofn {
inline namespace training {

/// A benchmark's run with its prediction.
struct BenchmarkRun {
  RunModel model;
  RunPrediction prediction;

  /// True if the time to the target is known. Otherwise there are no reference points, and only the
  /// step is known.
  bool has_target() const { return prediction.expected.samples > 0; }
};

/// Figures of a benchmark's run; without a target they are those of one step. Throws the
/// InputErrors of `expense_of`.
RunEstimate estimate(const BenchmarkRun&, const ExpenseOptions&, double grid_intensity);

}  // namespace training
}  // namespace tofn
