#include "sim/report/run_columns.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/name_table.hpp"
#include "sim/parallelism/placed_plan.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/figure_columns.hpp"
#include "sim/scaling/efficiency.hpp"
#include "sim/simulation/step_energy.hpp"

namespace tofn {
inline namespace report {
namespace {

template <class Figure>
auto estimated(Figure figure) {
  return of_its(&RunLine::estimate, figure);
}
template <class Figure>
auto simulated(Figure figure) {
  return of_its(&RunLine::step, figure);
}
template <class Figure>
auto of_size(Figure figure) {
  return of_its(&RunLine::point, figure);
}
template <class Figure>
auto of_plan(Figure figure) {
  return estimated(of_its(&RunEstimate::plan, figure));
}
template <class Figure>
auto of_expense(Figure figure) {
  return estimated(of_its(&RunEstimate::expense, figure));
}
template <class Figure>
auto of_power(Figure figure) {
  return of_expense(of_its(&Expense::power, figure));
}
template <class Figure>
auto of_price(Figure figure) {
  return of_expense(of_its(&Expense::price, figure));
}
template <class Figure>
auto of_checkpoint(Figure figure) {
  return of_expense(of_its(&Expense::checkpoint, figure));
}
/// Figure of a sample's arithmetic; absent where it is 0, which stands for unknown.
template <class Figure>
auto of_work(Figure figure) {
  return estimated([figure](const RunEstimate& e) {
    const auto value = std::invoke(figure, e.sample_work);
    const double number = [&] {
      if constexpr (std::is_same_v<decltype(value), const double>)
        return value;
      else
        return value.base();
    }();
    return number == 0 ? std::nullopt : std::optional(number);
  });
}
template <class Figure>
auto of_compute(Figure figure) {
  return of_its(&RunLine::benchmark, &Benchmark::parameters, &RunParameters::compute, figure);
}

/// True if the most loaded stage of all phases fits; absent where memory is not counted.
std::optional<bool> fits_memory(const RunEstimate& estimate) {
  const SimulatedStep* fullest = fullest_step(*estimate.run);
  return fullest != nullptr ? std::optional(fits(*fullest)) : std::nullopt;
}

void add_request(Columns<RunLine>& columns, const RunRequest& request) {
  const Cluster& cluster = request.cluster();
  const RunNames names = request.names();
  const std::vector<Column<RunLine>> more{
      {"workload", [=](const RunLine&) { return known(names.workload); },
       "benchmark task, by its name in workloads/; none of a model or a run"},
      {"model", [=](const RunLine&) { return known(names.model); },
       "model, by its name in models/; none where a workload lists its layers"},
      {"run", [=](const RunLine&) { return known(names.run); },
       "run, by its name in runs/, else the job"},
      {"cluster", [&](const RunLine&) { return cluster.name; },
       "machine, by its name in clusters/"},
      {"accelerator", [&](const RunLine&) { return cluster.accelerator.name; },
       "chip, by its name in accelerators/"},
      {"accelerators", of_size(&RunPoint::accelerators), "accelerators of the job"},
      {"phase", [](const RunLine& row) { return known(row.phase); }, "phase, in a run of several"},
      {"phase_accelerators", of_plan(&Plan::accelerators), "accelerators that the phase trains on"},
      {"global_batch", of_plan(&Plan::global_batch), "samples of a step"},
      {"micro_batch", of_plan(&Plan::micro_batch), "samples per replica and pass"},
      {"tensor_parallel", of_plan(&Plan::tensor_parallel_size),
       "ranks that split a layer's products"},
      {"context_parallel", of_plan(&Plan::context_parallel_size), "ranks that split a sample"},
      {"pipeline_parallel", of_plan(&Plan::pipeline_parallel_size), "stages"},
      {"data_parallel", of_plan(&Plan::data_parallel_size), "replicas"},
      {"gradient_accumulation", of_plan(&Plan::gradient_accumulation), "passes of a step"},
      {"sequence_length", of_work(&SampleWork::sequence_length),
       "tokens of a sample; none where samples are no texts, or a workload packs them"},
      {"batch_is_assumed", [=](const RunLine&) { return names.batch_is_assumed; },
       "1 where the batch is not stated"},
      {"plan", of_plan([](const Plan& plan) { return plan_words(plan); }),
       "split of the job over accelerators, in words"},
      {"accelerators_per_domain",
       of_plan([&](const Plan& plan) { return used_of_domain(plan, cluster); }),
       "accelerators used of each scale-up domain, where the job takes several"},
      {"plan_is_chosen", of_size([](const RunPoint& p) { return p.plans_tried > 0; }),
       "1 where tofn chose what was not stated of the plan"},
      {"fits", estimated(fits_memory),
       "1 where every stage fits the memory; measured steps of a workload do not show it"}};
  columns.insert(columns.end(), more.begin(), more.end());
}

/// Adds the columns of speedup and efficiency, and the reference that they are relative to.
void add_scaling(Columns<RunLine>& columns, const ScalingPoint& reference) {
  const auto of_scaled = [](auto figure) { return of_its(&RunLine::scaled, figure); };
  columns.emplace_back("reference_accelerators",
                       of_scaled([=](const ScalingPoint&) { return reference.accelerators; }),
                       "accelerators of the reference of speedup and efficiency");
  columns.emplace_back("speedup",
                       of_scaled([=](const ScalingPoint& p) { return speedup(p, reference); }),
                       "time of the reference over that of this size, to one target or of one "
                       "amount; else of a sample");
  columns.emplace_back("efficiency", of_scaled([=](const ScalingPoint& p) {
                         return relative_efficiency(p, reference);
                       }),
                       "speedup over growth of the accelerators");
}

/// Adds the memory of the most loaded stage of all phases, and the capacity.
void add_memory(Columns<RunLine>& columns, const Cluster& cluster) {
  for (const FootprintPart& part : footprint_parts)
    columns.emplace_back(
        fmt::format("memory_{}_gb", part.name), estimated([part](const RunEstimate& e) {
          return e.memory ? std::optional(((*e.memory).*part.bytes).base() / 1e9) : std::nullopt;
        }),
        "part of the peak memory of the most loaded stage; measured steps of a workload do not "
        "show it");
  columns.emplace_back(
      "memory_of_accelerator_gb",
      [&](const RunLine&) { return cluster.accelerator.memory.value.base() / 1e9; },
      "memory of one accelerator");
}

const char* priced_thing(const ChosenPrice& price) {
  if (price.source == "stated") return "stated";
  return price.is_typical ? "accelerator" : "cluster";
}

/// Adds the inputs of energy and cost.
void add_expense(Columns<RunLine>& columns, const RunRequest& request) {
  const std::vector<Column<RunLine>> more{
      {"energy_per_sample_j",
       estimated([](const RunEstimate& e) { return energy_per_sample(e).base(); }),
       "energy of a sample in a step: accelerators, hosts, fans, switches and the facility"},
      {"accelerator_utilisation",
       estimated([](const RunEstimate& e) { return utilisation(activity_of(e.step)); }),
       "share of the accelerators' dynamic power that a step draws"},
      {"accelerators_w", of_expense([](const Expense& e) {
         return accelerators_power(e.power, e.utilisation).base();
       }),
       "mean power of all accelerators and the idle ones of their nodes over the run"},
      {"hosts_w", of_power([](const MachinePower& p) { return p.hosts.base(); }),
       "power of all hosts, without fans"},
      {"fans_w",
       of_expense([](const Expense& e) { return fans_power(e.power, e.utilisation).base(); }),
       "mean power of the fans that cool accelerators and hosts over the run"},
      {"switches_w", of_power([](const MachinePower& p) { return p.switches.base(); }),
       "power of all switches"},
      {"facility_factor", of_power(&MachinePower::facility_factor),
       "power of the site over that of the machine (PUE)"},
      {"grid_g_per_kwh", [&](const RunLine&) { return request.grid_intensity; },
       "CO2 equivalents of a kWh of the grid"},
      {"price_usd_per_hour", of_price(&ChosenPrice::usd_per_hour),
       "price of an hour of one accelerator"},
      {"price_term",
       of_price([](const ChosenPrice& price) { return name_in(price_terms, price.term); }),
       "term of the price: on_demand, reserved_1y, reserved_3y or spot"},
      {"price_source", of_price(of_its(&ChosenPrice::source, known)), "source of the price"},
      {"price_of", of_price(priced_thing),
       "origin of the price: stated, the cluster's, its accelerator's"},
      {"interruption_every_h",
       of_expense([](const Expense& e) { return e.interruptions.mean_between.base() / 3600; }),
       "mean time between failures of the job"},
      {"checkpoint_every_min", of_expense([](const Expense& e) {
         const auto& every = e.run.checkpoint_every;
         return every ? std::optional(every->base() / 60) : std::nullopt;
       }),
       "interval of checkpoints that loses the least, or as stated; none in runs too short for "
       "one"},
      {"checkpoint_gb",
       of_checkpoint([](const CheckpointTimes& c) { return c.bytes.base() / 1e9; }),
       "bytes of a checkpoint, where its storage is stated"},
      {"checkpoint_waits_s",
       of_checkpoint([](const CheckpointTimes& c) { return c.blocks.base(); }),
       "time for which steps wait for a checkpoint"},
      {"checkpoint_write_s", of_checkpoint([](const CheckpointTimes& c) { return c.write.base(); }),
       "time in which a checkpoint is written, and in which a restart reads it"}};
  columns.insert(columns.end(), more.begin(), more.end());
}

std::optional<std::string> precision_of(const RunLine& row) {
  if (const SimulatedStep* step = row.step())
    return fmt::format("{}", fmt::join(step->precisions(), "; "));
  if (const Benchmark* benchmark = row.benchmark())
    return std::string(to_text(benchmark->parameters.compute.precision.matmul));
  return {};
}

void add_origin(Columns<RunLine>& columns, const RunRequest& request) {
  const RunNames names = request.names();
  const std::vector<Column<RunLine>> more{
      {"chance", estimated([&](const RunEstimate& e) {
         return request.limits.empty() ? std::nullopt : std::optional(chance_of(e, request.limits));
       }),
       "chance that the run meets all limits"},
      {"days_to_usual_loss", of_size(&RunPoint::days_to_default_loss),
       "simulated days to the loss that the default batch reaches"},
      {"warning", of_size([](const RunPoint& p) { return substituted(p.warnings); }),
       "warnings to read before using the figures"},
      {"parameters_active", of_work(&SampleWork::active_parameters),
       "parameters that one token goes through"},
      {"model_flop_a_sample", of_work(&SampleWork::model),
       "FLOPs of forward and backward, nothing computed again"},
      {"hardware_flop_a_sample", of_work(&SampleWork::hardware),
       "FLOPs with what is computed again; measured steps of a workload do not show it"},
      {"forward_flop_a_sample", of_work(&SampleWork::forward), "FLOPs of the forward pass"},
      {"peak_flop_per_s", estimated([](const RunEstimate& e) { return e.peak.base(); }),
       "dense peak of one accelerator at the precision that it computes in"},
      {"software_release", [=](const RunLine&) { return known(names.release); },
       "release YY.MM of the calibrated software; steps of a model follow from its stack"},
      {"calibrated_on", of_compute(of_its(&ComputeProfile::origin, known)),
       "measured steps that the prediction rests on; steps of a model follow from its dimensions"},
      {"precision", precision_of, "precision of the matrix products"},
      {"assumed", of_size([](const RunPoint& p) { return substituted(p.assumed); }),
       "figures without a source that the answer uses"},
      {"substituted", of_size([](const RunPoint& p) { return substituted(p.substitutions); }),
       "assumptions in place of what was requested or is lacking"},
      {"skipped_because", of_size([](const RunPoint& p) { return known(p.skipped_because); }),
       "reason why there is no answer of this size"}};
  columns.insert(columns.end(), more.begin(), more.end());
}

}  // namespace

Columns<RunLine> columns_of_runs(const RunRequest& request, const ScalingPoint& reference) {
  Columns<RunLine> columns;
  add_request(columns, request);
  add_run_figures(columns, [](const RunLine& row) { return row.estimate; });
  add_scaling(columns, reference);
  add_step_parts(columns, [](const RunLine& row) { return row.estimate; });
  add_memory(columns, request.cluster());
  add_expense(columns, request);
  add_origin(columns, request);
  return columns;
}

std::vector<ColumnWords> run_columns() {
  const StatedRun run{.phases = {{}}};
  const Cluster cluster;
  const KernelProfile stack;
  const RunRequest none{.of = ModelRun{.run = run, .cluster = cluster, .stack = stack}};
  return words_of(columns_of_runs(none, {}));
}

}  // namespace report
}  // namespace tofn
