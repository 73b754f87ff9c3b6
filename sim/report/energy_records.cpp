#include "sim/report/energy_report.hpp"

namespace tofn {

Records energy_records(const std::vector<MeteredRun>& runs) {
  Records records{.columns = {"system", "benchmark", "accelerators", "use", "time_min",
                              "predicted_time_min", "energy_kwh", "predicted_energy_kwh", "node_w",
                              "predicted_node_w", "utilisation"},
                  .rows = {}};
  for (const MeteredRun& run : runs)
    records.rows.push_back({run.name, run.benchmark, static_cast<long long>(run.accelerators),
                            run.use, run.time.base() / 60, run.predicted.total().base() / 60,
                            run.energy.base() / 3.6e6,
                            run.predicted_energy().nodes().base() / 3.6e6, run.power().base(),
                            run.predicted_power().base(), utilisation(run.predicted)});
  return records;
}

}  // namespace tofn
