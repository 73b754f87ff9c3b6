#include "sim/answers/step_cases_answer.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "sim/simulation/fit_efficiency.hpp"

namespace tofn {
inline namespace answers {
namespace {

std::optional<double> error_of(Seconds predicted, const StepCase& step) {
  if (!step.measured) return {};
  return predicted / *step.measured - 1;
}

}  // namespace

std::optional<double> PredictedCase::error() const { return error_of(times.total, row->step); }

std::optional<double> PredictedCase::held_out_error() const {
  if (!held_out) return {};
  return error_of(held_out->predicted, row->step);
}

std::vector<PredictedCase> predict_cases(StepCaseTable& table, const KernelProfile& profile) {
  std::vector<PredictedCase> cases;
  for (const StepCaseRow& row : table.rows) try {
      cases.push_back({.row = &row, .times = step_times(row.step, profile), .held_out = {}});
    } catch (const InputError& mistake) {
      const InputError placed(row.location, "", mistake.what());
      table.refused.push_back({.mistake = placed, .why = placed.what()});
    }
  return cases;
}

double leave_one_out(std::vector<PredictedCase>& cases, KernelProfile profile,
                     const Column<StepCaseRow>& column) {
  std::map<Value, std::vector<PredictedCase*>> groups;
  std::map<const PredictedCase*, EfficiencyCurve> curves;
  for (PredictedCase& each : cases) {
    if (!each.row->step.measured) continue;
    groups[column.value(*each.row)].push_back(&each);
    curves.emplace(&each, efficiency_curve(each.row->step, profile));
  }
  if (groups.size() < 2)
    throw InputError({}, "--leave-one-out", "needs measured steps of two values of that column");
  const auto fitted_without = [&](const std::vector<PredictedCase*>& left_out) {
    std::vector<EfficiencyCurve> seen;
    for (const auto& [each, curve] : curves)
      if (std::ranges::find(left_out, each) == left_out.end()) seen.push_back(curve);
    return fit_efficiency(seen);
  };
  for (const auto& [value, members] : groups) {
    profile.gemm_efficiency.value = fitted_without(members);
    for (PredictedCase* each : members)
      each->held_out = {.predicted = step_times(each->row->step, profile).total,
                        .gemm_efficiency = profile.gemm_efficiency.value};
  }
  profile.gemm_efficiency.value = fitted_without({});
  for (PredictedCase& each : cases) each.times = step_times(each.row->step, profile);
  return profile.gemm_efficiency.value;
}

bool any_held_out(const std::vector<PredictedCase>& cases) {
  return std::ranges::any_of(cases,
                             [](const PredictedCase& each) { return each.held_out.has_value(); });
}

}  // namespace answers
}  // namespace tofn
