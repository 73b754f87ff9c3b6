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

/// A prediction by a constant that has not seen the step.
struct HeldOut {
  Seconds predicted;
  double gemm_efficiency = 0;
};

/// A row of the table that could be predicted.
struct PredictedCase {
  const StepCaseRow* row = nullptr;
  StepTimes times;
  std::optional<HeldOut> held_out;

  /// predicted / measured - 1, if it was measured.
  std::optional<double> error() const;
  std::optional<double> held_out_error() const;
};

/// Predicts what can be; rows that cannot join the refused ones, at their place.
std::vector<PredictedCase> predict_cases(StepCaseTable&, const KernelProfile&);

/// Predicts the measured steps of each value of a column by an efficiency fitted to the others, and
/// all steps by one fitted to all; returns that one. InputError where no two values of the column
/// were measured.
double leave_one_out(std::vector<PredictedCase>&, KernelProfile, const Column<StepCaseRow>&);

bool any_held_out(const std::vector<PredictedCase>&);

}  // namespace answers
}  // namespace tofn
