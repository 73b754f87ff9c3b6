#include "sim/report/energy_report.hpp"

#include <fmt/format.h>

#include "sim/answers/disclosures.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

namespace {

struct HeldTables {
  int power = 0;
  int energy = 0;
  int runs = 0;
};

/// Text such as `held out, fans set by it`.
std::string use_of(const MeteredRun& run) {
  std::string use = run.use;
  for (const Disclosure& each : disclosures_of("energy"))
    if (each.rows == run.name) use += fmt::format(", {} set by it", each.name);
  return use;
}

/// Counts the intervals that contain the metered values, without rows that repeat another row's
/// runs.
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

TableColumns<MeteredRun> energy_columns() {
  using Run = MeteredRun;
  const auto interval = [](const Run& r) {
    return fmt::format("{:.0f} to {:.0f}", r.power_interval().low, r.power_interval().high);
  };
  return {
      {"system", &Run::name, left("metered run")},
      {"benchmark", &Run::benchmark, left("benchmark")},
      {"accelerators", &Run::accelerators, right("N")},
      {"use", &Run::use, left("use", use_of), "whether the row calibrates or is scored"},
      {"time_min", [](const Run& r) { return r.time.base() / 60; },
       "time of the metered run, in minutes"},
      {"predicted_time_min", [](const Run& r) { return r.predicted.total().base() / 60; },
       "predicted time of the run, in minutes"},
      {"energy_kwh", [](const Run& r) { return kilowatt_hours(r.energy); }, right("kWh", "{:.3f}")},
      {"predicted_energy_kwh",
       [](const Run& r) { return kilowatt_hours(r.predicted_energy().nodes()); },
       right("pred.", "{:.3f}"), "energy of the nodes as predicted"},
      right("err %", &Run::energy_error, signed_percent),
      {"node_w", [](const Run& r) { return r.power().base(); }, right("W a node", "{:.0f}"),
       "mean power of a node, metered"},
      {"predicted_node_w", [](const Run& r) { return r.predicted_power().base(); },
       right("pred.", "{:.0f}"), "predicted mean power of a node"},
      right("err %", &Run::power_error, signed_percent),
      {right("time err %", &Run::time_error, signed_percent), "error of the time"},
      {"power_error_as_run", &Run::power_error_as_run, right("as run", signed_percent),
       "error of the power with the measured step in place of the predicted one"},
      {"left_out_node_w", [](const Run& r) { return r.left_out_power().base(); },
       "predicted power with the row's own system left out"},
      {"node_low90_w", [](const Run& r) { return r.power_interval().low; },
       right("W, 90 %", interval), "lower end of the 90 % interval of the node's power"},
      {"node_high90_w", [](const Run& r) { return r.power_interval().high; },
       "upper end of the 90 % interval of the node's power"},
      {"left_out_energy_kwh",
       [](const Run& r) { return kilowatt_hours(r.left_out_energy().nodes()); },
       "predicted energy with the row's own system left out"},
      {"energy_low90_kwh",
       [](const Run& r) { return kilowatt_hours(Joules(r.energy_interval().low)); },
       "lower end of the 90 % interval of the energy"},
      {"energy_high90_kwh",
       [](const Run& r) { return kilowatt_hours(Joules(r.energy_interval().high)); },
       "upper end of the 90 % interval of the energy"},
      {"utilisation", of_its(&Run::predicted, utilisation),
       "share of the accelerators' dynamic power"},
      {"not_blind", [](const Run& r) { return known(not_blind("energy", "", {r.name})); }}};
}

/// Columns of the errors only.
TableColumns<MeteredRun> screen_columns() {
  using Run = MeteredRun;
  return {{left("metered run", &Run::name), "run whose energy was measured"},
          left("benchmark", &Run::benchmark),
          right("N", &Run::accelerators),
          {right("kWh err %", &Run::energy_error, signed_percent), "error of the energy"},
          {right("W err %", &Run::power_error, signed_percent), "error of the mean power"},
          {right("time err %", &Run::time_error, signed_percent), "error of the time"}};
}

}  // namespace

ExplainedRecords energy_records(const std::vector<MeteredRun>& runs) {
  return with_words_of(screen_columns(), records_of(energy_columns(), runs));
}

AnswerText energy_text(const std::vector<MeteredRun>& runs) {
  const HeldTables held = held_by_intervals(runs);
  AnswerText text;
  text.screen = fmt::format(
                    "90 % ranges hold the power of {} and the energy of {} of {} distinct metered "
                    "runs\n\n",
                    held.power, held.energy, held.runs) +
                table_text(screen_columns(), runs) + '\n' +
                note("errors",
                     "of the nodes at the wall, without switches and facility; kWh: of time and "
                     "power together") +
                listed_note("next", {"--details for watts, ranges and what is in-sample"});
  text.details = table_text(energy_columns(), runs) +
                 note("as run",
                      "the error of power with the step, samples, evaluation and start-up "
                      "that were measured") +
                 note("90 %", "of power, by runs of other machines alone") +
                 disclosed_text("energy");
  return text;
}

}  // namespace report
}  // namespace tofn
