#include "sim/answers/disclosures.hpp"
#include "sim/report/energy_report.hpp"

namespace tofn {
inline namespace report {

Records energy_records(const std::vector<MeteredRun>& runs) {
  using Run = MeteredRun;
  const Columns<Run> columns{
      {"system", &Run::name},
      {"benchmark", &Run::benchmark},
      {"accelerators", &Run::accelerators},
      {"use", &Run::use},
      {"time_min", [](const Run& r) { return r.time.base() / 60; }},
      {"predicted_time_min", [](const Run& r) { return r.predicted.total().base() / 60; }},
      {"energy_kwh", [](const Run& r) { return r.energy.base() / 3.6e6; }},
      {"predicted_energy_kwh",
       [](const Run& r) { return r.predicted_energy().nodes().base() / 3.6e6; }},
      {"node_w", [](const Run& r) { return r.power().base(); }},
      {"predicted_node_w", [](const Run& r) { return r.predicted_power().base(); }},
      {"power_error_as_run", &Run::power_error_as_run},
      {"left_out_node_w", [](const Run& r) { return r.left_out_power().base(); }},
      {"node_low90_w", [](const Run& r) { return r.power_interval().low; }},
      {"node_high90_w", [](const Run& r) { return r.power_interval().high; }},
      {"left_out_energy_kwh",
       [](const Run& r) { return r.left_out_energy().nodes().base() / 3.6e6; }},
      {"energy_low90_kwh", [](const Run& r) { return r.energy_interval().low / 3.6e6; }},
      {"energy_high90_kwh", [](const Run& r) { return r.energy_interval().high / 3.6e6; }},
      {"utilisation", of_its(&Run::predicted, utilisation)},
      {"not_blind", [](const Run& r) { return known(not_blind("energy", "", {r.name})); }}};
  return records_of(columns, runs);
}

}  // namespace report
}  // namespace tofn
