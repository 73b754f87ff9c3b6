#include <fmt/format.h>

#include "sim/report/energy_report.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {

std::string energy_text(const std::vector<MeteredRun>& runs) {
  TextTable table({{"metered run", Align::Left},
                   {"benchmark", Align::Left},
                   {"N"},
                   {"use", Align::Left},
                   {"kWh"},
                   {"pred."},
                   {"err %"},
                   {"W a node"},
                   {"pred."},
                   {"err %"},
                   {"time err %"}});
  for (const MeteredRun& run : runs)
    table.add({fitted(run.name, 36), run.benchmark, fmt::format("{}", run.accelerators), run.use,
               fmt::format("{:.3f}", run.energy.base() / 3.6e6),
               fmt::format("{:.3f}", run.predicted_energy().nodes().base() / 3.6e6),
               signed_percent(run.energy_error()), fmt::format("{:.0f}", run.power().base()),
               fmt::format("{:.0f}", run.predicted_power().base()),
               signed_percent(run.power_error()), signed_percent(run.time_error())});
  return table.render() +
         "  of the nodes at the wall, without switches and facility; energy errors are those of "
         "time "
         "and power together\n";
}

}  // namespace report
}  // namespace tofn
