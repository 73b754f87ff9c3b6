#include <functional>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/expense/energy.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/parallelism/placed_plan.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/step_report.hpp"
#include "sim/simulation/step_energy.hpp"

namespace tofn {
inline namespace report {
namespace {

/// Adds the memory of the footprint that leaves least free.
void add_memory(Columns<SimulatedStep>& columns) {
  const auto add = [&](const std::string& name, const auto& bytes, std::string_view meaning) {
    columns.emplace_back(
        name,
        [bytes](const SimulatedStep& step) {
          return std::invoke(bytes, step.memory[step.tightest()]).base() / 1e9;
        },
        meaning);
  };
  for (const FootprintPart& each : footprint_parts)
    add(fmt::format("memory_{}_gb", each.name), each.bytes,
        "part of the peak memory of the most loaded stage");
  add(
      "memory_gb", [](const Footprint& held) { return held.total(); },
      "peak memory of the most loaded stage");
  columns.emplace_back(
      "memory_free_gb",
      [](const SimulatedStep& step) {
        const std::size_t tightest = step.tightest();
        return free_memory(step.memory[tightest], step.holder(tightest)).base() / 1e9;
      },
      "memory that the most loaded stage leaves free");
  add("memory_host_gb", &Footprint::host, "memory of the host, beside the accelerator's");
}

std::optional<double> tokens_per_second(const SimulatedStep& step) {
  if (step.model.sequence_length <= 0) return {};
  return step.samples_per_second() * step.model.sequence_length;
}

Columns<SimulatedStep> columns_of_steps() {
  using Step = SimulatedStep;
  Columns<Step> columns{
      {"model", of_its(&Step::model, &Model::name), "model, by its name in models/"},
      {"cluster", of_its(&Step::cluster, &Cluster::name), "machine, by its name in clusters/"},
      {"accelerators", of_its(&Step::plan, &Plan::accelerators), "accelerators of the job"},
      {"global_batch", of_its(&Step::plan, &Plan::global_batch), "samples of a step"},
      {"plan", of_its(&Step::plan, plan_words), "split of the job over accelerators, in words"},
      {"fits", [](const Step& s) { return fits(s); }, "1 where every stage fits the memory"},
      {"accelerators_per_domain", [](const Step& s) { return used_of_domain(s.plan, s.cluster); },
       "accelerators used of each scale-up domain, where the job takes several"},
      {"slow_node", [](const Step& s) { return s.heterogeneous.slow.kernels; },
       "factor by which the kernels of one node take longer than the others'"},
      {"slow_link", [](const Step& s) { return s.heterogeneous.slow.link; },
       "factor by which a byte takes longer on one link"},
      {"slow_stage", [](const Step& s) { return s.heterogeneous.slow.stage + 1; },
       "pipeline stage of the slow node, from 1"},
      {"step_s", [](const Step& s) { return s.times.total.base(); }, "time of one optimizer step"},
      {"step_s_low90", of_its(&Step::seconds, &Interval::low),
       "lower end of the step's 90 % interval"},
      {"step_s_high90", of_its(&Step::seconds, &Interval::high),
       "upper end of the step's 90 % interval"},
      {"samples_per_s", &Step::samples_per_second, "samples per second of the job"},
      {"tokens_per_s", tokens_per_second,
       "tokens per second of the job, where its samples are texts"},
      {"tflops_each", [](const Step& s) { return s.achieved().base() / 1e12; },
       "model FLOPs per second and accelerator, 10^12"},
      {"mfu", &Step::model_flops_utilisation, "model FLOPs per second over the dense peak"},
      {"memory_bound_share", &Step::memory_bound,
       "share of the compute time in kernels that memory bandwidth bounds"},
      {"bottleneck", of_its(&Step::times, bottleneck_of, &Bottleneck::name),
       "bottleneck of the step: compute, communication, bubble, imbalance, overhead or mixed"},
      {"communication_s", [](const Step& s) { return s.times.communication.base(); },
       "time of a step's communication, hidden or not"},
      {"precision",
       [](const Step& s) { return fmt::format("{}", fmt::join(s.precisions(), "; ")); },
       "precision of the matrix products"},
      {"substituted", of_its(&Step::substitutions, substituted),
       "assumptions in place of what was requested or is lacking"}};
  for (const auto& [name, which] : step_parts)
    columns.emplace_back(
        fmt::format("{}_s", name),
        [which = which](const Step& s) { return part(s.times.parts, which).base(); },
        "part of the step; of communication the exposed time");
  add_memory(columns);
  columns.insert(
      columns.end(),
      {{"energy_per_sample_j", [](const Step& s) { return energy_per_sample(s).base(); },
        "energy of a sample in a step: accelerators, hosts, fans, switches and the facility"},
       {"accelerator_utilisation", [](const Step& s) { return utilisation(s.activity); },
        "share of the accelerators' dynamic power that a step draws"},
       {"facility_factor", of_its(power_of, &MachinePower::facility_factor),
        "power of the site over that of the machine (PUE)"}});
  for (auto& column : kinds_columns()) columns.push_back(std::move(column));
  return columns;
}

}  // namespace

std::vector<ColumnWords> step_columns() { return words_of(columns_of_steps()); }

Records step_records(const std::vector<SimulatedStep>& steps) {
  return records_of(columns_of_steps(), steps);
}

}  // namespace report
}  // namespace tofn
