#include "sim/sweep/point.hpp"

#include <fmt/format.h>

#include "sim/calibration/choose_run.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/model/stages.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/simulation/computed_plan.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/simulation/step_activity.hpp"
#include "sim/timeline/timeline.hpp"
#include "sim/training/critical_batch.hpp"
#include "sim/training/run.hpp"

namespace tofn {
inline namespace sweep {
namespace {

constexpr std::uint64_t interval_seed = 1;
constexpr std::string_view plan_path = "plan.";

/// Axes of a plan's fields that no other moves with.
std::vector<PlacedAxis> lone_plan_axes(const Sweep& sweep) {
  std::vector<PlacedAxis> axes = placed_axes(sweep);
  std::erase_if(axes, [&](const PlacedAxis& placed) {
    return !placed.axis->path.starts_with(plan_path) || sweep.groups[placed.group].axes.size() > 1;
  });
  return axes;
}

/// What a key of the base says; a mistake is told at the base.
int stated_number(const Request& base, std::string_view key, const std::string& text) {
  try {
    return whole_number(text);
  } catch (const InputError& error) {
    throw InputError(base.location, fmt::format("base.{}", key), error.what());
  }
}

}  // namespace

std::vector<std::string> substitutions(const Point& point) {
  return point.description ? substitutions(*point.description)
                           : substitutions(*point.model, point.plan, *point.cluster);
}

PointMaker::PointMaker(const SweepSources& sources)
    : sources_(sources),
      inputs_(sources),
      accelerators_(setting("accelerators", sources.sweep().base.accelerators)),
      batch_(setting("batch", sources.sweep().base.batch)),
      replica_batch_(setting("replica_batch", sources.sweep().base.replica_batch)),
      reference_(setting("reference", sources.sweep().base.reference)),
      trains_axis_(setting("trains", {}).axis),
      lone_plan_axes_(lone_plan_axes(sources.sweep())) {}

PointMaker::Setting PointMaker::setting(std::string_view key,
                                        const std::optional<std::string>& base) const {
  Setting found;
  if (base) found.base = stated_number(sources_.sweep().base, key, *base);
  for (const PlacedAxis& placed : placed_axes(sources_.sweep()))
    if (placed.axis->path == key) found.axis = placed;
  return found;
}

std::optional<int> PointMaker::number_of(const Setting& from) const {
  return from.axis ? whole_number(from.axis->value(positions_)) : from.base;
}

Point PointMaker::plan(std::uint64_t number) {
  Point point = plan_on_accelerators(number, std::nullopt);
  check_is_no_repetition(point.plan);
  return point;
}

void PointMaker::check_is_no_repetition(const Plan& plan) const {
  visit_idle(plan, [&](const PlanField& field, auto) {
    for (const PlacedAxis& axis : lone_plan_axes_)
      if (axis.axis->path.substr(plan_path.size()) == field.key && positions_[axis.group] > 0)
        throw InputError(fmt::format(
            "{} {} does nothing here, as it needs {}: the same as the point with {} {}", field.key,
            axis.value(positions_), field.need.words, field.key, axis.axis->values.front()));
  });
}

Point PointMaker::plan_on_accelerators(std::uint64_t number, std::optional<int> accelerators) {
  Point point;
  point.number = number;
  find_positions(sources_.sweep(), number, positions_);
  point.cluster = &inputs_.cluster(positions_);
  if (!accelerators) accelerators = number_of(accelerators_);
  const int count = accelerators.value_or(point.cluster->accelerators_per_node.value);
  if (sources_.is_of_models())
    plan_model(point, count);
  else
    plan_workload(point, count);
  return point;
}

void PointMaker::plan_model(Point& point, int accelerators) {
  static const PlanFile data_parallel;
  point.model = &inputs_.model(positions_);
  const PlanFile* file = inputs_.plan(positions_);
  if (file == nullptr) file = &data_parallel;
  const double replicas = 1.0 * accelerators / file->split.model_parallel_size();
  const auto per_replica = number_of(replica_batch_);
  const double batch = per_replica ? *per_replica * replicas : *number_of(batch_);
  point.plan = plan_on(*file, accelerators, batch);
  rank_ = &inputs_.steps(positions_).layers(point.plan);
  check_plan(point.plan, rank_->limits);
}

void PointMaker::plan_workload(Point& point, int accelerators) {
  const Workload& calibrated = inputs_.calibrated_workload(positions_);
  point.workload = &inputs_.workload(positions_);
  RunRequest request;
  request.workload = &calibrated;
  request.cluster = point.cluster;
  if (const PlanFile* file = inputs_.plan(positions_)) {
    require_known_plan(calibrated, file->split);
    if (calibrated.simulated) request.plan = file->split;
    request.settings = file->settings;
    request.tensor_parallel_size = file->split.tensor_parallel_size;
    request.context_parallel_size = file->split.context_parallel_size;
    request.gradient_accumulation = file->gradient_accumulation;
  }
  request.settings.software_release =
      newest_release(sources_.calibration(), calibrated, point.cluster->accelerator);
  if (const auto batch = number_of(batch_)) request.global_batch = *batch;
  request.replica_batch = number_of(replica_batch_);
  point.description = choose_run(request, accelerators, sources_.calibration());
  point.plan = point.description->plan;
}

void PointMaker::add_memory(Point& point) {
  const auto stages = footprints(rank_->layers, point.plan,
                                 memory_profile(*point.model, point.plan, *point.cluster));
  for (const Footprint& stage : stages)
    if (stage.total() > point.memory.total()) point.memory = stage;
  point.fits = fits(point.memory, point.cluster->accelerator);
}

void PointMaker::add_time(Point& point, bool by_engine) {
  if (point.model != nullptr)
    add_model_time(point, by_engine);
  else
    add_run_time(point);
}

void PointMaker::add_model_time(Point& point, bool by_engine) {
  const StepWork work = inputs_.steps(positions_).work(point.plan);
  point.model_flops = inputs_.model_flops(positions_);
  point.times = by_engine ? simulate(work) : closed_form(work);
}

RunModel PointMaker::run_model(const Point& point) const {
  const RunParameters parameters = parameters_of(*point.description, sources_.calibration());
  RunDescription description = *point.description;
  description.workload = point.workload;
  return {description, parameters};
}

void PointMaker::add_run_time(Point& point) {
  point.run = run_model(point).expected();
  point.times = point.run->step;
}

void PointMaker::add_expense(Point& point) {
  const int accelerators = point.plan.accelerators();
  const Activity step = activity_of(*point.times);
  point.energy_per_sample = energy_of(machine_power(*point.cluster, accelerators), step).total() /
                            point.plan.global_batch();
  if (point.run && point.run->samples > 0)
    point.expense = expense_of(*point.cluster, accelerators, activity_of(*point.run),
                               point.run->total().basis, {});
}

Amount PointMaker::trained() const {
  if (trains_axis_) return amount_in(trains_axis_->value(positions_));
  const Request& base = sources_.sweep().base;
  try {
    return amount_in(*base.trains);
  } catch (const InputError& error) {
    throw InputError(base.location, "base.trains", error.what());
  }
}

/// By events, as `tofn predict` does.
void PointMaker::add_job(Point& point) {
  const SimulatedStep step =
      simulate_step(*point.model, point.plan, *point.cluster, inputs_.stack(positions_));
  point.times = step.times;
  const double length = point.model->sequence_length;
  const double samples =
      samples_of(trained(), {.batch = point.plan.global_batch(), .sequence_length = length});
  Job job{.phases = {{step, samples}}};
  if (length > 0)
    job.critical_batch = Amount{critical_batch_tokens(samples * length), Counted::Tokens};
  point.job = estimate(job);
}

void PointMaker::add_interval(Point& point) {
  if (point.model != nullptr) return add_job(point);
  const Interval seconds = predict(run_model(point), usual_draws, interval_seed).total_seconds;
  point.minutes = {seconds.low / 60, seconds.high / 60};
}

void PointMaker::add_reference(Point& point, bool by_engine) {
  Point reference;
  try {
    reference = plan_on_accelerators(point.number, number_of(reference_));
    add_time(reference, by_engine);
  } catch (const InputError&) {
    return;  // the reference cannot run: the point has nothing to be compared with
  }
  point.growth = 1.0 * point.plan.accelerators() / reference.plan.accelerators();
  const double throughput = point.samples_per_second() / reference.samples_per_second();
  point.throughput_efficiency = throughput / point.growth;
  const bool trains = point.run && point.run->samples > 0;
  point.speedup = trains ? reference.run->total().time / point.run->total().time : throughput;
}

}  // namespace sweep
}  // namespace tofn
