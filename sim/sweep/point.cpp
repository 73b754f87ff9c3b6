#include "sim/sweep/point.hpp"

#include <fmt/format.h>

#include "sim/calibration/choose_run.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/model/stages.hpp"
#include "sim/parallelism/placed_plan.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/simulation/best_plan.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/simulation/step_energy.hpp"
#include "sim/simulation/step_substitutions.hpp"
#include "sim/timeline/timeline.hpp"
#include "sim/training/critical_batch.hpp"
#include "sim/training/stated_run.hpp"

namespace tofn {
inline namespace sweep {
namespace {

/// Number of a key of the base. InputError with the place of the base.
int stated_number(const Request& base, std::string_view key, const std::string& text) {
  return at_key(base.location, fmt::format("base.{}", key), [&] { return whole_number(text); });
}

bool requests_switches(const Point& point) {
  if (!point.description) return point.plan.in_network_reduction;
  return point.description->settings.in_network_reduction.value_or(false);
}

}  // namespace

std::vector<std::string> substitutions(const Point& point) {
  if (!point.description)
    return substitutions(*point.model, point.plan, *point.cluster, *point.framework_defaults);
  if (!point.times) return {};
  return substitutions(*point.description, point.products);
}

std::vector<std::string> collective_substitutions(const Point& point) {
  if (!point.times) return {};
  return collective_substitutions(*point.cluster, requests_switches(point), point.answered);
}

PointMaker::PointMaker(const SweepSources& sources)
    : sources_(sources),
      inputs_(sources),
      accelerators_(setting(&Request::accelerators)),
      replicas_(setting(&Request::replicas)),
      batch_(setting(&Request::batch)),
      replica_batch_(setting(&Request::replica_batch)),
      reference_(setting(&Request::reference)),
      trains_(setting(&Request::trains)),
      repetitions_(sources.sweep()) {}

PointMaker::Setting PointMaker::setting(std::optional<std::string> Request::*text) const {
  Setting found;
  const Request& base = sources_.sweep().base;
  for (const RequestKey& key : request_keys) {
    if (key.text != text) continue;
    if (base.*text && key.kind == RequestKind::Count)
      found.base = stated_number(base, key.name, *(base.*text));
    for (const PlacedAxis& placed : placed_axes(sources_.sweep()))
      if (placed.axis->path == key.name) found.axis = placed, found.key = &key;
  }
  return found;
}

std::optional<int> PointMaker::number_of(const Setting& from) const {
  return from.axis ? whole_number(from.axis->value(positions_)) : from.base;
}

Point PointMaker::plan(std::uint64_t number) { return planned(number, std::nullopt); }

/// Number of accelerators: from the replicas or as stated, otherwise one node.
int PointMaker::accelerators_of(const Cluster& cluster, const StatedPlan* plan) const {
  const auto replicas = number_of(replicas_);
  if (!replicas) return number_of(accelerators_).value_or(cluster.accelerators_per_node.value);
  const Plan split = plan == nullptr ? Plan{} : plan->split;
  const double all = 1.0 * *replicas * split.tensor_parallel_size * split.pipeline_parallel_size *
                     split.context_parallel_size;
  return whole_number(fmt::format("{:.0f}", all));
}

Point PointMaker::planned(std::uint64_t number, std::optional<int> reference) {
  Point point;
  point.number = number;
  find_positions(sources_.sweep(), number, positions_);
  point.cluster = &inputs_.cluster(positions_);
  const StatedPlan* plan = inputs_.plan(positions_);
  const int accelerators = reference ? *reference : accelerators_of(*point.cluster, plan);
  if (sources_.is_of_models()) {
    point.model = &inputs_.model(positions_);
    point.framework_defaults = &inputs_.stack(positions_).framework_defaults;
    plan_model(point, *plan, accelerators);
  } else {
    plan_workload(point, plan, accelerators);
  }
  if (!reference) point.repetition = repetitions_.find(point.plan, positions_);
  if (sources_.is_of_models() && !point.repetition) work_out_layers(point);
  return point;
}

/// Sets the plan. Missing parts are chosen as in `tofn predict`; stated parts must fit the model.
void PointMaker::plan_model(Point& point, const StatedPlan& stated, int accelerators) {
  steps_ = &inputs_.steps(positions_);
  const auto per_replica = number_of(replica_batch_);
  const StatedPlan file =
      per_replica || number_of(replicas_) ? with_stated_replicas(stated) : stated;
  const double replicas = 1.0 * accelerators / file.split.model_parallel_size();
  const double batch = per_replica ? *per_replica * replicas : *number_of(batch_);
  point.plan_is_chosen = leaves_open(file, *point.model);
  if (point.plan_is_chosen)
    point.plan = filled_plan(file,
                             {.model = *point.model,
                              .cluster = *point.cluster,
                              .profile = inputs_.stack(positions_),
                              .accelerators = accelerators,
                              .global_batch = batch},
                             *steps_)
                     .plan;
  const bool keeps_passes = !file.micro_batch || point.plan.micro_batch == *file.micro_batch;
  if (!point.plan_is_chosen || !keeps_passes) point.plan = plan_on(file, accelerators, batch);
}

/// Works out the layers of each stage. A chosen plan states how its stages share the layers.
void PointMaker::work_out_layers(Point& point) {
  rank_ = &steps_->dividing_rank(point.plan);
  check_plan(point.plan, rank_->limits);
  if (!point.plan_is_chosen) return;
  if (const StageLayers held = stage_layers(rank_->layers, point.plan); !is_even(held))
    point.plan.stage_layers = held;
}

void PointMaker::plan_workload(Point& point, const StatedPlan* file, int accelerators) {
  const Workload& calibrated = inputs_.calibrated_workload(positions_);
  point.workload = &inputs_.workload(positions_);
  OpenDescription open{.workload = &calibrated, .cluster = point.cluster};
  if (file != nullptr) {
    require_known_plan(calibrated, file->split);
    if (calibrated.simulated) open.plan = file->split;
    open.settings = file->settings;
    open.tensor_parallel_size = file->split.tensor_parallel_size;
    open.context_parallel_size = file->split.context_parallel_size;
    open.gradient_accumulation = file->gradient_accumulation;
  }
  open.settings.software_release =
      newest_release(sources_.calibration(), calibrated, point.cluster->accelerator);
  if (const auto batch = number_of(batch_)) open.global_batch = *batch;
  open.replica_batch = number_of(replica_batch_);
  point.description = choose_run(open, accelerators, sources_.calibration());
  point.plan = point.description->plan;
}

void PointMaker::add_memory(Point& point) {
  point.memory = largest_footprint(
      rank_->layers, point.plan,
      memory_profile(*point.model, point.plan, *point.cluster, inputs_.stack(positions_)));
  point.fits = fits(point.memory, point.cluster->accelerator);
}

void PointMaker::add_time(Point& point, bool by_engine) {
  if (point.model != nullptr)
    add_model_time(point, by_engine);
  else
    add_run_time(point);
}

void PointMaker::add_model_time(Point& point, bool by_engine) {
  StepWork work = steps_->work(point.plan, *rank_);
  point.model_flops = inputs_.model_flops(positions_);
  point.times = by_engine ? simulate(work) : closed_form(work);
  point.answered = std::move(work.answered);
}

Run PointMaker::run_of(const Point& point) const {
  RunDescription description = *point.description;
  description.workload = point.workload;
  return benchmark_run(description, parameters_of(*point.description, sources_.calibration()));
}

void PointMaker::add_run_time(Point& point) {
  const Run run = run_of(point);
  point.products = run.benchmark->parameters.compute.precision.matmul;
  point.has_target = run.has_target();
  point.run = run.expected();
  point.times = point.run->step;
  if (point.cluster->measured != nullptr || requests_switches(point))
    point.answered = run.stretches.front().step->work().answered;
}

void PointMaker::add_expense(Point& point) {
  const PlacedJob job = placed_job(point.plan, *point.cluster);
  const Activity step = activity_of(*point.times);
  point.energy_per_sample =
      energy_of(machine_power(*point.cluster, job), step).total() / point.plan.global_batch();
  if (point.run && point.has_target)
    point.expense = expense_of(*point.cluster, job, activity_of(*point.run),
                               point.run->total().basis, costs().expenses);
}

RunCosts PointMaker::costs() const {
  RunCosts costs;
  const Sweep& sweep = sources_.sweep();
  for (const RequestKey& key : request_keys) {
    if (key.tell == nullptr) continue;
    const std::optional<std::string>& base = sweep.base.*key.text;
    if (base) key.tell(costs, *base);
    for (const PlacedAxis& placed : placed_axes(sweep))
      if (placed.axis->path == key.name) key.tell(costs, placed.value(positions_));
  }
  return costs;
}

Amount PointMaker::trained() const {
  return trains_.axis ? amount_in(*trains_.key, trains_.axis->value(positions_))
                      : *parse_amount(*sources_.sweep().base.trains);
}

/// Simulates the step by events, as `tofn predict` does.
void PointMaker::add_job(Point& point) {
  const SimulatedStep step =
      simulate_step(*point.model, point.plan, *point.cluster, inputs_.stack(positions_));
  point.times = step.times;
  const double length = point.model->sequence_length;
  const double samples =
      samples_of(trained(), {.batch = point.plan.global_batch(), .sequence_length = length});
  Run run{.stretches = {stretch_of({}, step, samples, 0, inputs_.stack(positions_))},
          .overrun = sources_.sweep().overrun};
  if (length > 0)
    run.critical_batch = Amount{critical_batch_tokens(samples * length), Counted::Tokens};
  point.estimate = paid(std::move(run));
}

void PointMaker::add_interval(Point& point) {
  if (point.model != nullptr) return add_job(point);
  point.estimate = paid(run_of(point));
}

RunEstimate PointMaker::paid(Run run) const {
  const RunCosts reported = costs();
  run.expenses = reported.expenses;
  run.grid_intensity = reported.grid_intensity;
  return estimate(run);
}

void PointMaker::add_reference(Point& point, bool by_engine) {
  Point reference;
  try {
    reference = planned(point.number, number_of(reference_));
    add_time(reference, by_engine);
    if (point.model != nullptr && point.estimate) add_job(reference);  // times of one method
  } catch (const InputError&) {
    return;  // the reference cannot run, so that there is nothing to compare with
  }
  point.growth = 1.0 * point.plan.accelerators() / reference.plan.accelerators();
  const double throughput = point.samples_per_second() / reference.samples_per_second();
  point.throughput_efficiency = throughput / point.growth;
  const bool trains = point.run && point.has_target;
  point.speedup = trains ? reference.run->total().time / point.run->total().time
                  : reference.estimate
                      ? reference.estimate->expected.days / point.estimate->expected.days
                      : throughput;
}

}  // namespace sweep
}  // namespace tofn
