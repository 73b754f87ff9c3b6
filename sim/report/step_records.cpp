#include <functional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/expense/energy.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/step_report.hpp"
#include "sim/simulation/step_activity.hpp"
#include "sim/simulation/step_energy.hpp"

namespace tofn {
inline namespace report {
namespace {

/// Of the footprint that leaves least.
void add_memory(Columns<SimulatedStep>& columns) {
  const auto add = [&](const std::string& name, const auto& bytes) {
    columns.emplace_back(name, [bytes](const SimulatedStep& step) {
      return std::invoke(bytes, step.memory[step.tightest()]).base();
    });
  };
  for (const FootprintPart& each : footprint_parts)
    add(fmt::format("memory_{}_bytes", each.name), each.bytes);
  add("memory_bytes", [](const Footprint& held) { return held.total(); });
  columns.emplace_back("memory_free_bytes", [](const SimulatedStep& step) {
    const std::size_t tightest = step.tightest();
    return free_memory(step.memory[tightest], step.holder(tightest)).base();
  });
  add("memory_host_bytes", &Footprint::host);
}

}  // namespace

Records step_records(const std::vector<SimulatedStep>& steps) {
  using Step = SimulatedStep;
  Columns<Step> columns{
      {"model", of_its(&Step::model, &Model::name)},
      {"cluster", of_its(&Step::cluster, &Cluster::name)},
      {"accelerators", of_its(&Step::plan, &Plan::accelerators)},
      {"global_batch", of_its(&Step::plan, &Plan::global_batch)},
      {"plan", of_its(&Step::plan, plan_words)},
      {"slow_node", [](const Step& s) { return s.heterogeneous.slow.kernels; }},
      {"slow_link", [](const Step& s) { return s.heterogeneous.slow.link; }},
      {"slow_stage", [](const Step& s) { return s.heterogeneous.slow.stage + 1; }},
      {"step_s", [](const Step& s) { return s.times.total.base(); }},
      {"step_low90_s", of_its(&Step::seconds, &Interval::low)},
      {"step_high90_s", of_its(&Step::seconds, &Interval::high)},
      {"samples_per_s", &Step::samples_per_second},
      {"tflops_each", [](const Step& s) { return s.achieved().base() / 1e12; }},
      {"mfu", &Step::model_flops_utilisation},
      {"memory_bound_share", &Step::memory_bound},
      {"bottleneck", of_its(&Step::times, bottleneck_of, &Bottleneck::name)},
      {"communication_s", [](const Step& s) { return s.times.communication.base(); }},
      {"precision",
       [](const Step& s) { return fmt::format("{}", fmt::join(s.precisions(), "; ")); }},
      {"substituted", of_its(&Step::substitutions, substituted)}};
  for (const auto& [name, which] : step_parts)
    columns.emplace_back(fmt::format("{}_s", name), [which = which](const Step& s) {
      return part(s.times.parts, which).base();
    });
  add_memory(columns);
  columns.insert(
      columns.end(),
      {{"energy_per_sample_j", [](const Step& s) { return energy_per_sample(s).base(); }},
       {"accelerator_utilisation", [](const Step& s) { return utilisation(activity_of(s.times)); }},
       {"facility_factor", of_its(power_of, &MachinePower::facility_factor)}});
  for (auto& column : kinds_columns()) columns.push_back(std::move(column));
  return records_of(columns, steps);
}

}  // namespace report
}  // namespace tofn
