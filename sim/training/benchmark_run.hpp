#pragma once

#include "sim/expense/expense.hpp"
#include "sim/training/run.hpp"
#include "sim/training/run_estimate.hpp"

namespace tofn {
inline namespace training {

/// A benchmark's run, and what was drawn of it.
struct BenchmarkRun {
  RunDescription description;
  RunParameters parameters;
  RunPrediction prediction;

  /// Whether the time to the target is known; else, without reference points, the step alone.
  bool has_target() const { return prediction.expected.samples > 0; }
};

/// The figures of a benchmark's run; without a target those of one step. InputError as
/// `expense_of`.
RunEstimate estimate(const BenchmarkRun&, const ExpenseOptions&, double grid_intensity);

}  // namespace training
}  // namespace tofn
