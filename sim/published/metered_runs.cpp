#include "sim/published/metered_runs.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/training/run.hpp"

namespace tofn {
inline namespace published {
namespace {

double positive(const CsvTable& table, std::size_t row, const char* column) {
  const std::string& text = table.at(row, column);
  double value = 0;
  if (!parse_number(text, value) || !(value > 0))
    throw InputError(table.location(row, column), column,
                     fmt::format("expected a number above 0, got '{}'", text));
  return value;
}

MeteredRun run_of(const CsvTable& table, std::size_t row, const ResolvedRow& resolved,
                  const BacktestRow& predicted) {
  const RowInputs& inputs = predicted.row.inputs;
  return {.name = predicted.row.full_name(),
          .benchmark = inputs.benchmark,
          .use = table.at(row, "use"),
          .accelerators = inputs.accelerators,
          .nodes = resolved.run->cluster->nodes_of(inputs.accelerators),
          .time = Seconds(60 * positive(table, row, "run_min")),
          .energy = Joules(1e6 * positive(table, row, "node_energy_MJ") /
                           positive(table, row, "wall_share")),
          .cluster = resolved.run->cluster,
          .predicted = activity_of(predicted.prediction->expected)};
}

}  // namespace

Energy MeteredRun::predicted_energy() const {
  return energy_of(machine_power(*cluster, accelerators, 1), predicted);
}
Watts MeteredRun::power() const { return energy / time / nodes; }
Watts MeteredRun::predicted_power() const {
  return predicted_energy().nodes() / predicted.total() / nodes;
}
Watts MeteredRun::host_power() const {
  return power() - predicted_energy().accelerators / predicted.total() / nodes;
}
double MeteredRun::time_error() const { return predicted.total() / time - 1; }
double MeteredRun::power_error() const { return predicted_power() / power() - 1; }
double MeteredRun::energy_error() const { return predicted_energy().nodes() / energy - 1; }

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
    const auto found = std::find_if(predicted.begin(), predicted.end(), is_row);
    if (found == predicted.end())
      throw InputError(
          table.location(row, "system"), "system",
          fmt::format("no run of {} in {} was predicted", table.at(row, "system"), published));
    const auto index = static_cast<std::size_t>(found - predicted.begin());
    runs.push_back(run_of(table, row, resolved[index], *found));
  }
  return runs;
}

}  // namespace published
}  // namespace tofn
