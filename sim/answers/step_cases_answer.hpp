#pragma once

#include <optional>
#include <vector>

#include "sim/core/rows.hpp"
#include "sim/evidence/step_rows.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/simulation/fit_efficiency.hpp"
#include "sim/timeline/step_work.hpp"

namespace tofn {
inline namespace answers {

/// A prediction by an efficiency that was fitted without the step.
struct HeldOut {
  Seconds predicted;
  double gemm_efficiency = 0;
};

/// A row of the table that could be predicted.
struct PredictedCase {
  const StepCaseRow* row = nullptr;
  StepTimes times;
  std::optional<HeldOut> held_out;

  /// predicted / measured - 1; absent if it was not measured.
  std::optional<double> error() const;
  std::optional<double> held_out_error() const;
};

/// Predicts the rows that can be predicted, and moves the others into the refused ones, in order.
std::vector<PredictedCase> predict_cases(StepCaseTable&, const KernelProfile&);

/// Predicts the measured steps of each value of a column by an efficiency fitted to the other
/// values. Predicts all steps by one fitted to all, and returns that one. InputError if fewer than
/// two values of the column were measured.
double leave_one_out(std::vector<PredictedCase>&, KernelProfile, const Column<StepCaseRow>&);

bool any_held_out(const std::vector<PredictedCase>&);

}  // namespace answers
}  // namespace tofn
