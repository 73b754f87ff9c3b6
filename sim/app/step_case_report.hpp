#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/app/step_cases.hpp"
#include "sim/report/records.hpp"
#include "sim/timeline/step_work.hpp"

namespace tofn {

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

Records case_records(const std::vector<PredictedCase>&);
/// A line for each, their shares of the step, and what the errors come to. `column`: which one was
/// left out by its values; empty: none was.
std::string case_text(const std::vector<PredictedCase>&, double gemm_efficiency,
                      std::string_view column);

}  // namespace tofn
