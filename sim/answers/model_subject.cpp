#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "sim/answers/overrun_words.hpp"
#include "sim/answers/predict_answer.hpp"
#include "sim/answers/run_batch.hpp"
#include "sim/answers/scale_subject.hpp"
#include "sim/core/answer_of_no.hpp"
#include "sim/core/count_text.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/timeline/timeline.hpp"
#include "sim/training/critical_batch.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Batch of a run, averaged over its steps; the run's samples are stated for this batch.
double own_batch(const StatedRun& run) {
  double steps = 0;
  for (const RunPhase& phase : run.phases)
    for (const BatchStretch& each : phase.stretches) steps += each.samples / each.batch;
  return run.samples() / steps;
}

/// Returns the run with all batches `factor` times as large, and the samples that reach the same
/// loss.
StatedRun with_batches(StatedRun run, double factor) {
  run.has_default_batch = false;
  for (RunPhase& phase : run.phases)
    for (BatchStretch& each : phase.stretches) {
      const double batch = std::max(1.0, std::round(factor * each.batch));
      if (run.critical_batch) {
        const double critical =
            samples_of(*run.critical_batch, {.sequence_length = phase.model.sequence_length});
        each.samples *= samples_ratio(batch, each.batch, critical);
      }
      each.batch = batch;
    }
  return run;
}

/// A run whose batch may change, on any number of accelerators. The critical batch is set.
struct ScaledRun {
  RunRequest request;  ///< of the run as stated
  StatedRun run;

  const ModelRun& of() const { return std::get<ModelRun>(request.of); }
};

/// Answers as `tofn predict --same-loss` does.
ScaledPoint answered_at(const ScaledRun& scaled, const StatedRun& run, int accelerators) {
  const ModelRun& of = scaled.of();
  RunRequest request = scaled.request;
  request.of.emplace<ModelRun>(ModelRun{.run = run,
                                        .cluster = of.cluster,
                                        .stack = of.stack,
                                        .overrun = of.overrun,
                                        .holds_loss = true});
  const RunPoint point = run_point(request, accelerators);
  if (!point.fits)
    throw AnswerOfNo(
        missing_memory(point.estimate->memory->total(), of.cluster.accelerator.memory.value) +
        (point.way_out ? fmt::format("; nearest plan that fits{}: {}",
                                     point.way_out_of.empty() ? "" : " " + point.way_out_of,
                                     plan_words(point.way_out->plan))
                       : ""));
  ScaledPoint answered = scaled_point(*point.estimate);
  answered.accelerators = accelerators;  // some phases may take fewer
  answered.plan_is_chosen = point.plans_tried > 0;
  answered.substitutions = point.substitutions;
  add_new(answered.substitutions, point.warnings);
  return answered;
}

ScaledPoint point_at(const ScaledRun& scaled, int accelerators, double batch) {
  return answered_at(scaled, with_batches(scaled.run, batch / own_batch(scaled.run)), accelerators);
}

/// Returns the point at the batch that ends soonest, doubled from the run's own until the time
/// grows.
ScaledPoint soonest_doubling(const ScaledRun& request, int accelerators) {
  constexpr double most_growth = 1024;
  const double own = own_batch(request.run);
  std::optional<ScaledPoint> best;
  for (double factor = 1; factor <= most_growth; factor *= 2) {
    try {
      ScaledPoint point = point_at(request, accelerators, factor * own);
      if (best && point.time() >= best->time()) return *best;
      best = std::move(point);
    } catch (const InputError&) {
      if (best) return *best;
      const bool has_too_few_samples = factor * own < accelerators;
      if (!has_too_few_samples) throw;
    }
  }
  return *best;
}

/// Plan of the largest size that has one, at the run's own batch, because searches over sizes keep
/// it.
Plan split_of(const ScaledRun& request, const std::vector<int>& sizes) {
  for (std::size_t i = sizes.size(); i-- > 0;) try {
      const ScaledPoint point = point_at(request, sizes[i], own_batch(request.run));
      return point.estimate->plan;
    } catch (const InputError&) {
      continue;  // if no size has a plan, the answer says why
    }
  return request.run.phases.front().plan.split;
}

std::optional<StepTimes> step_at(const ScaledRun& request, Plan plan, int accelerators,
                                 double batch) {
  const RunPhase& phase = request.run.phases.front();
  const double replicas = std::max(1, accelerators / plan.model_parallel_size());
  const double passes = batch / replicas / plan.micro_batch;
  const int multiple = micro_batch_multiple(plan);
  plan.gradient_accumulation = std::max(1, static_cast<int>(passes) / multiple) * multiple;
  try {
    const Plan whole = make_plan(plan, accelerators, batch);
    return closed_form(step_work(phase.model, whole, request.of().cluster, request.of().stack));
  } catch (const InputError&) {
    return {};  // skips sizes that the job does not split over
  }
}

/// Sentences on the models and data behind the figures.
std::vector<std::string> notes_of(const ScaledRun& request) {
  const StatedRun& run = request.run;
  std::vector<std::string> notes{fmt::format(
      "steps are simulated from dimensions with the kernels of stack {}", request.of().stack.name)};
  if (run.is_one_step) {
    notes.emplace_back("extra samples of larger batches are left out (--tokens or --samples)");
    return notes;
  }
  notes.push_back("times are simulated; 90 % of " +
                  overrun_words(request.of().overrun.with(request.of().stack.has_own_steps())));
  if (!run.critical_batch) {
    notes.emplace_back("extra samples of larger batches are not known (--critical-batch)");
    return notes;
  }
  const double tokens = run.tokens();
  notes.push_back(fmt::format(
      "every size reaches the loss of {} {} at batch {:g}{}: samples grow with 1 + batch / {} {} "
      "(arXiv 1812.06162, 2410.21676; known within a factor of {:g})",
      count_text(tokens > 0 ? tokens : run.samples(), 4), tokens > 0 ? "tokens" : "samples",
      own_batch(run), run.has_default_batch ? " (assumed)" : "",
      count_text(run.critical_batch->value, 2),
      run.critical_batch->of == Counted::Tokens ? "tokens" : "samples",
      critical_batch_uncertainty));
  return notes;
}

}  // namespace

ScaleSubject subject_of(const RunRequest& requested, const ModelRun& of,
                        const ScaleRequest& scale) {
  ScaledRun request{.request = requested, .run = of.run};
  request.run.critical_batch = critical_batch(request.run);
  if (request.run.is_one_step)
    request.run.phases.front().stretches.front().samples = samples_without_target;
  const Plan split = split_of(request, scale.sizes);
  const Cluster& cluster = of.cluster;
  ScaleSubject subject;
  subject.name = request.run.name;
  subject.machine = fmt::format("{} ({})", cluster.accelerator.name, cluster.name);
  subject.accelerator = cluster.accelerator.name;
  subject.notes = notes_of(request);
  subject.memory = "every size by a plan that fits; `tofn predict` has its parts";
  subject.model_parallel = split.model_parallel_size();
  subject.stride = std::lcm(cluster.accelerators_per_node.value, split.model_parallel_size());
  const double replica = split.model_parallel_size();
  subject.strong = [request](int accelerators, double batch) {
    return point_at(request, accelerators, batch);
  };
  subject.weak = [request, replica](int accelerators, double samples) {
    return point_at(request, accelerators, std::max(1.0, samples * accelerators / replica));
  };
  subject.step = [request, split](int accelerators, double batch) {
    return step_at(request, split, accelerators, batch);
  };
  const bool is_open = request.run.has_default_batch;
  subject.soonest_rule = is_open ? "the batch that reaches the same loss soonest at each N"
                                 : "its batch, doubled where that reaches the same loss sooner";
  if (request.run.critical_batch)
    subject.soonest = [request, is_open](int accelerators) {
      return is_open ? answered_at(request, request.run, accelerators)
                     : soonest_doubling(request, accelerators);
    };
  return subject;
}

}  // namespace answers
}  // namespace tofn
