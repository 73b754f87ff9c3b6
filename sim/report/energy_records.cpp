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
      {"utilisation", of_its(&Run::predicted, utilisation)}};
  return records_of(columns, runs);
}

}  // namespace report
}  // namespace tofn
