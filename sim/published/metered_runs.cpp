#include "sim/published/metered_runs.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sim/core/csv_row.hpp"
#include "sim/simulation/step_energy.hpp"
#include "sim/training/run_estimate.hpp"

namespace tofn {
inline namespace published {
namespace {

constexpr std::array<std::string_view, 5> needed_words{"benchmark", "organisation", "system",
                                                       "published", "use"};
constexpr std::array<std::string_view, 3> needed_numbers{"run_min", "node_energy_MJ", "wall_share"};
/// Columns that only people read.
constexpr std::array<std::string_view, 5> other_columns{"accelerators", "nodes", "meter",
                                                        "switch_energy_MJ", "notes"};

std::optional<Activity> as_run(const PublishedRow& row, const RunBreakdown& predicted) {
  const RowOutcome& outcome = row.outcome;
  if (!outcome.step_ms || !outcome.samples || !outcome.evaluation_exposed_minutes ||
      !outcome.startup_seconds)
    return {};
  const Seconds step{*outcome.step_ms / 1000};
  Activity each = activity_of(predicted.step);
  if (step > each.total())
    each.communicating += step - each.total();
  else
    each = (step / each.total()) * each;
  const double steps = *outcome.samples / row.inputs.global_batch;
  const double evaluation = Seconds{60 * *outcome.evaluation_exposed_minutes} / step;
  Activity all = (steps + evaluation) * each;
  all.idle += Seconds{*outcome.startup_seconds};
  return all;
}

MeteredRun run_of(const CsvTable& table, std::size_t row, const ResolvedRow& resolved,
                  const BacktestRow& predicted) {
  const RowInputs& inputs = predicted.row.inputs;
  const CsvRow cells(table, row);
  return {.name = predicted.row.full_name(),
          .benchmark = inputs.benchmark,
          .use = table.at(row, "use"),
          .accelerators = inputs.accelerators,
          .nodes = resolved.run->cluster->nodes_of(inputs.accelerators),
          .time = Seconds(60 * cells.needed_positive("run_min")),
          .energy = Joules(1e6 * cells.needed_positive("node_energy_MJ") /
                           cells.needed_positive("wall_share")),
          .cluster = *resolved.run->cluster,
          .predicted = activity_of(*predicted.prediction),
          .predicted_time = predicted.seconds,
          .as_run = as_run(resolved.row, *predicted.prediction)};
}

Watts node_maximum(const Cluster& cluster) {
  return cluster.accelerators_per_node.value * cluster.accelerator.power.value;
}

Energy energy_by(const MeteredRun& run, double host_share) {
  MachinePower machine = machine_power(run.cluster, run.accelerators, 1);
  if (!run.cluster.power.host) machine.hosts = run.nodes * host_share * node_maximum(run.cluster);
  return energy_of(machine, run.predicted);
}

/// Median host share of the runs that calibrate hosts; of all runs if none does.
double host_share_of(const std::vector<const MeteredRun*>& runs) {
  std::vector<double> firm;
  std::vector<double> all;
  for (const MeteredRun* run : runs) {
    all.push_back(run->host_share());
    if (run->use == "calibrates") firm.push_back(all.back());
  }
  return mean(firm.empty() ? all : firm);
}

}  // namespace

Energy MeteredRun::predicted_energy() const { return energy_by(*this, default_host_share); }
Energy MeteredRun::left_out_energy() const { return energy_by(*this, others_host_share); }
Watts MeteredRun::power() const { return energy / time / nodes; }
Watts MeteredRun::predicted_power() const {
  return predicted_energy().nodes() / predicted.total() / nodes;
}
Watts MeteredRun::left_out_power() const {
  return left_out_energy().nodes() / predicted.total() / nodes;
}
double MeteredRun::host_share() const {
  const double fans = machine_power(cluster, accelerators, 1).fans;
  const Watts host =
      power() / (1 + fans) - predicted_energy().accelerators / predicted.total() / nodes;
  return host / node_maximum(cluster);
}
Interval MeteredRun::power_interval() const {
  const double watts = left_out_power().base();
  return {watts * std::exp(-others_power_uncertainty), watts * std::exp(others_power_uncertainty)};
}
Interval MeteredRun::energy_interval() const {
  const double joules = left_out_energy().nodes().base();
  const double seconds = predicted.total().base();
  return with_power_uncertainty(
      joules, {joules * predicted_time.low / seconds, joules * predicted_time.high / seconds},
      others_power_uncertainty);
}
double MeteredRun::time_error() const { return predicted.total() / time - 1; }
double MeteredRun::power_error() const { return predicted_power() / power() - 1; }
std::optional<double> MeteredRun::power_error_as_run() const {
  if (!as_run) return {};
  const Energy drawn = energy_of(machine_power(cluster, accelerators, 1), *as_run);
  return drawn.nodes() / as_run->total() / nodes / power() - 1;
}
double MeteredRun::energy_error() const { return predicted_energy().nodes() / energy - 1; }

CsvTable read_metered_table(const std::filesystem::path& file) {
  CsvTable table = CsvTable::read(file);
  std::vector<std::string_view> known(needed_words.begin(), needed_words.end());
  known.insert(known.end(), needed_numbers.begin(), needed_numbers.end());
  known.insert(known.end(), other_columns.begin(), other_columns.end());
  table.refuse_unknown_columns(known);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const CsvRow cells(table, row);
    for (const std::string_view column : needed_words) cells.needed_text(column);
    for (const std::string_view column : needed_numbers) cells.needed_positive(column);
  }
  return table;
}

std::vector<MeteredRun> metered_runs(const CsvTable& table, const std::string& published,
                                     std::span<const ResolvedRow> resolved,
                                     std::span<const BacktestRow> predicted) {
  std::vector<MeteredRun> runs;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (table.at(row, "published") != published) continue;
    const auto is_row = [&](const BacktestRow& each) {
      const RowInputs& inputs = each.row.inputs;
      return inputs.organisation == table.at(row, "organisation") &&
             inputs.system == table.at(row, "system") &&
             inputs.benchmark == table.at(row, "benchmark") && each.prediction;
    };
    const auto found = std::ranges::find_if(predicted, is_row);
    if (found == predicted.end())
      throw InputError(
          table.location(row, "system"), "system",
          fmt::format("no run of {} in {} was predicted", table.at(row, "system"), published));
    const auto index = static_cast<std::size_t>(found - predicted.begin());
    runs.push_back(run_of(table, row, resolved[index], *found));
  }
  return runs;
}

double power_uncertainty(std::span<const double> errors) {
  constexpr double assumed = 0.1;
  double squares = assumed * assumed;
  for (const double error : errors) squares += error * error;
  const int runs = 1 + static_cast<int>(errors.size());
  return student_quantile(0.95, runs) * std::sqrt(squares / runs);
}

void leave_machines_out(std::span<MeteredRun> runs) {
  for (MeteredRun& run : runs) {
    std::vector<const MeteredRun*> others;
    for (const MeteredRun& each : runs)
      if (each.use != "same runs" && each.cluster.name != run.cluster.name) others.push_back(&each);
    if (others.empty()) continue;
    run.others_host_share = host_share_of(others);
    std::vector<double> errors;
    for (const MeteredRun* each : others) {
      const Watts predicted =
          energy_by(*each, run.others_host_share).nodes() / each->predicted.total() / each->nodes;
      errors.push_back(std::log(predicted / each->power()));
    }
    run.others_power_uncertainty = power_uncertainty(errors);
  }
}

}  // namespace published
}  // namespace tofn
