#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/report/runs_report.hpp"

namespace tofn {
inline namespace report {

Records runs_records(const std::vector<PublishedRun>& runs) {
  using Run = PublishedRun;
  const auto predicted = [](double Run::*member) {
    return [member](const Run& r) {
      return r.skipped_because.empty() ? std::optional(r.*member) : std::nullopt;
    };
  };
  const Columns<Run> columns{
      {"run", &Run::name},
      {"model_family", &Run::family},
      {"accelerator", &Run::accelerator},
      {"score", &Run::use},
      {"accelerators", &Run::accelerators},
      {"gpu_hours", &Run::hours},
      {"predicted_gpu_hours", predicted(&Run::corrected_hours)},
      {"low90_gpu_hours", predicted(&Run::low)},
      {"high90_gpu_hours", predicted(&Run::high)},
      {"uncorrected_gpu_hours", predicted(&Run::predicted_hours)},
      {"baseline_gpu_hours", &Run::baseline_hours},
      {"plan", &Run::plan},
      {"assumed", [](const Run& r) { return fmt::format("{}", fmt::join(r.assumed, "; ")); }},
      {"skipped_because", [](const Run& r) { return known(r.skipped_because); }}};
  return records_of(columns, runs);
}

}  // namespace report
}  // namespace tofn
