#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/answers/disclosures.hpp"
#include "sim/report/runs_report.hpp"

namespace tofn {
inline namespace report {

Records runs_records(const std::vector<PublishedRun>& runs) {
  using Run = PublishedRun;
  const auto predicted = [](auto value) {
    return [value](const Run& r) {
      return r.skipped_because.empty() ? std::optional<double>(value(r)) : std::nullopt;
    };
  };
  const Columns<Run> columns{
      {"run", &Run::name},
      {"model_family", [](const Run& r) { return r.hours.family; }},
      {"accelerator", &Run::accelerator},
      {"score", &Run::use},
      {"accelerators", &Run::accelerators},
      {"gpu_hours", [](const Run& r) { return r.hours.stated; }},
      {"predicted_gpu_hours", predicted([](const Run& r) { return r.predicted(); })},
      {"low90_gpu_hours", predicted([](const Run& r) { return r.low(); })},
      {"high90_gpu_hours", predicted([](const Run& r) { return r.high(); })},
      {"simulation_weight", predicted([](const Run& r) { return r.usual.weight; })},
      {"simulated_gpu_hours", predicted([](const Run& r) { return r.hours.simulated; })},
      {"mfu_6n", predicted([](const Run& r) { return r.hours.at_peak / r.hours.stated; })},
      {"simulated_mfu_6n",
       predicted([](const Run& r) { return r.hours.at_peak / r.hours.simulated; })},
      {"simulated_goodput", predicted([](const Run& r) { return r.goodput; })},
      {"one_utilisation_gpu_hours", predicted([](const Run& r) { return r.pooled_hours; })},
      {"baseline_gpu_hours", &Run::baseline_hours},
      {"overrun", predicted([](const Run& r) { return r.overrun.factor; })},
      {"overrun_spread", predicted([](const Run& r) { return r.overrun.spread; })},
      {"chance", predicted([](const Run& r) { return r.chance(r.overrun); })},
      {"chance_by_steps", predicted([](const Run& r) { return r.chance(no_overrun); })},
      {"hours_hold", [](const Run& r) { return known(r.hours_hold); }},
      {"plan", &Run::plan},
      {"assumed", [](const Run& r) { return fmt::format("{}", fmt::join(r.assumed, "; ")); }},
      {"skipped_because", [](const Run& r) { return known(r.skipped_because); }},
      {"not_blind", [](const Run&) { return known(not_blind("runs", "", {})); }}};
  return records_of(columns, runs);
}

}  // namespace report
}  // namespace tofn
