#include <algorithm>
#include <cmath>

#include "sim/study/claims.hpp"

namespace tofn {
inline namespace study {
namespace {

double batch_share(const StudyRow& row) {
  return row.published.inputs.global_batch / row.accelerators();
}

bool is_measured(const StudyRow& row) {
  return row.published.outcome.samples && row.published.outcome.step_ms;
}

}  // namespace

std::string commonest_accelerator(const WorkloadStudy& study) {
  const auto count = [&](const std::string& name) {
    return std::ranges::count_if(study.rows,
                                 [&](const StudyRow& row) { return row.accelerator == name; });
  };
  std::string commonest;
  for (const StudyRow& row : study.rows)
    if (count(row.accelerator) > count(commonest)) commonest = row.accelerator;
  return commonest;
}

std::optional<BatchGrowth> batch_growth(const WorkloadStudy& study) {
  const std::string accelerator = commonest_accelerator(study);
  BatchGrowth growth;
  for (const StudyRow& row : study.rows)
    if (row.accelerator == accelerator && is_measured(row)) growth.large = &row;
  if (growth.large == nullptr) return {};
  for (const StudyRow& row : study.rows) {
    if (row.accelerator != accelerator || !is_measured(row)) continue;
    if (std::abs(batch_share(row) / batch_share(*growth.large) - 1) > 1e-9) continue;
    growth.small = &row;
    break;  // rows ascend in accelerators; of one size, in time
  }
  if (growth.small == nullptr || growth.small->accelerators() == growth.large->accelerators())
    return {};
  const RowOutcome& small = growth.small->published.outcome;
  const RowOutcome& large = growth.large->published.outcome;
  growth.loss = growth.small->relative_efficiency / growth.large->relative_efficiency;
  growth.samples = *large.samples / *small.samples;
  growth.step = *large.step_ms / *small.step_ms;
  growth.rest = growth.loss / growth.samples / growth.step;
  return growth;
}

}  // namespace study
}  // namespace tofn
