#include <fmt/format.h>

#include "sim/answers/disclosures.hpp"
#include "sim/report/energy_report.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {

namespace {

struct HeldTables {
  int power = 0;
  int energy = 0;
  int runs = 0;
};

/// `held out, fans set by it`
std::string use_of(const MeteredRun& run) {
  std::string use = run.use;
  for (const Disclosure& each : disclosures_of("energy"))
    if (each.rows == run.name) use += fmt::format(", {} set by it", each.name);
  return use;
}

/// Of runs that are not another row's.
HeldTables held_by_intervals(const std::vector<MeteredRun>& runs) {
  HeldTables held;
  for (const MeteredRun& run : runs) {
    if (run.use == "same runs") continue;
    ++held.runs;
    if (run.power_interval().contains(run.power().base())) ++held.power;
    if (run.energy_interval().contains(run.energy.base())) ++held.energy;
  }
  return held;
}

}  // namespace

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
                   {"time err %"},
                   {"as run"},
                   {"W, 90 %"}});
  for (const MeteredRun& run : runs)
    table.add({fitted(run.name, 36), run.benchmark, fmt::format("{}", run.accelerators),
               use_of(run), fmt::format("{:.3f}", run.energy.base() / 3.6e6),
               fmt::format("{:.3f}", run.predicted_energy().nodes().base() / 3.6e6),
               signed_percent(run.energy_error()), fmt::format("{:.0f}", run.power().base()),
               fmt::format("{:.0f}", run.predicted_power().base()),
               signed_percent(run.power_error()), signed_percent(run.time_error()),
               run.as_run ? signed_percent(*run.power_error_as_run()) : "-",
               fmt::format("{:.0f}-{:.0f}", run.power_interval().low, run.power_interval().high)});
  const HeldTables held = held_by_intervals(runs);
  return table.render() +
         fmt::format(
             "  of the nodes at the wall, without switches and facility; energy errors are those "
             "of "
             "time and power together\n"
             "  as run: the error of power with the step, samples, evaluation and start-up that "
             "were measured\n"
             "  90 %: of power, by runs of other machines alone; intervals hold the power of {} of "
             "{} distinct runs, the energy of {}\n",
             held.power, held.runs, held.energy) +
         disclosed_text("energy");
}

}  // namespace report
}  // namespace tofn
