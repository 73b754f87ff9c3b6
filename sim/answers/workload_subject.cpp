#include <numeric>

#include <fmt/format.h>

#include "sim/answers/predict_answer.hpp"
#include "sim/answers/scale_subject.hpp"
#include "sim/core/error.hpp"
#include "sim/training/critical_batch.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// The run with this batch, or these samples per replica.
RunRequest with_batch(RunRequest request, std::optional<double> batch,
                      std::optional<int> of_a_replica) {
  WorkloadRun of = std::get<WorkloadRun>(request.of);
  of.open.global_batch = batch;
  of.open.replica_batch = of_a_replica;
  request.of.emplace<WorkloadRun>(std::move(of));
  return request;
}

ScaledPoint predicted_point(const RunRequest& request, int accelerators) {
  const RunPoint point = run_point(request, accelerators);
  ScaledPoint scaled = scaled_point(*point.estimate);
  scaled.substitutions = point.substitutions;
  return scaled;
}

/// Returns the plan of the largest size that has one, because searches over sizes keep its split.
/// If none has one, the answer says why.
Plan split_of(const WorkloadRun& of, const ScaleRequest& request) {
  OpenDescription open = of.open;
  open.global_batch = request.batch;
  if (request.replica_batch) open.replica_batch = static_cast<int>(*request.replica_batch);
  for (std::size_t i = request.sizes.size(); i-- > 0;) try {
      return choose_run(open, request.sizes[i], of.calibration).plan;
    } catch (const InputError&) {
      continue;
    }
  return {};
}

/// Step of the run that `predict` chooses; absent if the job does not split over the
/// accelerators, or if it needs a network.
std::optional<StepTimes> simulated_step(const OpenDescription& request, int accelerators,
                                        const Calibration& calibration) {
  try {
    const RunDescription chosen = choose_run(request, accelerators, calibration);
    return benchmark_run(chosen, calibration).expected().step;
  } catch (const InputError&) {
    return {};
  }
}

/// Step of a workload of observed runs, whose batch need not be whole samples per replica.
std::optional<StepTimes> step_at(const OpenDescription& request, const Plan& split,
                                 int accelerators, double batch, const ComputeProfile& compute) {
  Plan plan = split;
  plan.gradient_accumulation = 1;
  try {
    return step_source(*request.workload, *request.cluster, make_plan(plan, accelerators, batch),
                       request.settings, compute)
        ->times();
  } catch (const InputError&) {
    return {};
  }
}

/// Sentences on the data and formulas behind the figures.
std::vector<std::string> notes_of(const OpenDescription& request, const RunParameters& parameters) {
  std::vector<std::string> notes;
  if (const auto law = fit_batch_law(request.workload->convergence))
    notes.push_back(fmt::format(
        "samples to the target grow with 1 + batch / {:.0f}, which lies within {:.0f} % of its "
        "reference points (predictions interpolate them)",
        law->critical_batch, 100 * law->worst_error));
  const std::string& release = request.settings.software_release;
  notes.push_back(fmt::format("calibrated on {}, release {}; formulas beyond one node",
                              parameters.compute.origin, release.empty() ? "not stated" : release));
  return notes;
}

/// Memory is not counted for observed runs, because published ones show only what fits.
std::string memory_words(const ComputeProfile& compute) {
  const std::string counted = "`tofn scale MODEL` counts it";
  if (compute.largest_batch == 0) return "not counted; " + counted;
  const bool is_one = compute.smallest_batch == compute.largest_batch;
  return fmt::format(
      "not counted: published runs had passes of {}{}; {}",
      is_one ? "" : fmt::format("{:g} to ", compute.smallest_batch),
      compute.largest_batch == 1 ? "1 sample" : fmt::format("{:g} samples", compute.largest_batch),
      counted);
}

}  // namespace

ScaleSubject subject_of(const RunRequest& request, const WorkloadRun& of,
                        const ScaleRequest& scaled) {
  const Cluster& cluster = of.machine();
  const Plan split = split_of(of, scaled);
  const RunParameters parameters = parameters_of({.workload = of.open.workload,
                                                  .cluster = of.open.cluster,
                                                  .plan = split,
                                                  .settings = of.open.settings,
                                                  .runs = of.open.runs},
                                                 of.calibration);
  ScaleSubject subject;
  subject.name = of.open.workload->name;
  subject.machine = fmt::format("{} ({})", cluster.accelerator.name, cluster.name);
  subject.accelerator = cluster.accelerator.name;
  subject.notes = notes_of(of.open, parameters);
  if (!of.open.workload->simulated) subject.memory = memory_words(parameters.compute);
  subject.model_parallel = split.model_parallel_size();
  subject.stride = std::lcm(cluster.accelerators_per_node.value, split.model_parallel_size());
  if (!of.open.workload->convergence.empty())
    subject.soonest = [request = with_batch(request, {}, {})](int accelerators) {
      return predicted_point(request, accelerators);
    };
  subject.strong = [request](int accelerators, double batch) {
    return predicted_point(with_batch(request, batch, {}), accelerators);
  };
  subject.weak = [request](int accelerators, double samples) {
    return predicted_point(with_batch(request, {}, static_cast<int>(samples)), accelerators);
  };
  if (of.open.workload->simulated) {
    subject.step = [of](int accelerators, double batch) {
      OpenDescription open = of.open;
      open.global_batch = batch;
      return simulated_step(open, accelerators, of.calibration);
    };
    subject.weak_step = [of](int accelerators, double samples) {
      OpenDescription open = of.open;
      open.replica_batch = static_cast<int>(samples);
      return simulated_step(open, accelerators, of.calibration);
    };
  } else {
    subject.step = [open = of.open, split, compute = parameters.compute](int accelerators,
                                                                         double batch) {
      return step_at(open, split, accelerators, batch, compute);
    };
  }
  return subject;
}

}  // namespace answers
}  // namespace tofn
