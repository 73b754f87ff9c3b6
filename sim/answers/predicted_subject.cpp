#include <numeric>

#include <fmt/format.h>

#include "sim/answers/scale_subject.hpp"
#include "sim/core/error.hpp"
#include "sim/training/critical_batch.hpp"

namespace tofn {
inline namespace answers {
namespace {

ScaledPoint predicted_point(const RunRequest& request, int accelerators,
                            const Calibration& calibration, std::uint64_t seed) {
  const Run run = paid_run(request, accelerators, calibration, seed);
  ScaledPoint point = scaled_point(estimate(run));
  point.substitutions = substitutions(run);
  return point;
}

/// Step at a batch that need not be a whole number of samples per replica.
std::optional<StepTimes> step_at(const RunRequest& request, const Plan& split, int accelerators,
                                 double batch, const ComputeProfile& compute) {
  Plan plan = split;
  // Simulated steps keep their passes, because a pipeline needs them.
  const double replicas = std::max(1, accelerators / plan.model_parallel_size());
  const double passes = batch / replicas / plan.micro_batch;
  plan.gradient_accumulation =
      request.workload->simulated ? std::max(1, static_cast<int>(passes)) : 1;
  try {
    return step_source(*request.workload, *request.cluster, make_plan(plan, accelerators, batch),
                       request.settings, compute)
        ->times();
  } catch (const InputError&) {
    return {};  // skips sizes that the job does not split over, or that need a network
  }
}

/// Sentences on the data and formulas behind the figures.
std::vector<std::string> notes_of(const RunRequest& request, const RunParameters& parameters) {
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

/// Memory is not counted, because published runs show only what fits.
std::string memory_words(const ComputeProfile& compute) {
  const std::string counted = "`tofn scale MODEL` counts it";
  if (compute.largest_batch == 0) return "not counted; " + counted;
  return fmt::format("not counted: published runs had passes of {:g} to {:g} samples; {}",
                     compute.smallest_batch, compute.largest_batch, counted);
}

}  // namespace

Plan chosen_plan(const RunRequest& request, const Calibration& calibration, int accelerators) {
  return choose_run(request, accelerators, calibration).plan;
}

ScaleSubject predicted_subject(const RunRequest& request, const Calibration& calibration,
                               const Plan& split, std::uint64_t seed) {
  const Cluster& cluster = *request.cluster;
  const RunDescription run{.workload = request.workload,
                           .cluster = request.cluster,
                           .plan = split,
                           .settings = request.settings,
                           .runs = request.runs};
  ScaleSubject subject;
  subject.name = request.workload->name;
  subject.machine = fmt::format("{} ({})", cluster.accelerator.name, cluster.name);
  subject.accelerator = cluster.accelerator.name;
  const RunParameters parameters = parameters_of(run, calibration);
  subject.notes = notes_of(request, parameters);
  subject.memory = memory_words(parameters.compute);
  subject.model_parallel = split.model_parallel_size();
  subject.stride = std::lcm(cluster.accelerators_per_node.value, split.model_parallel_size());
  const auto at = [request, &calibration, seed](int accelerators, std::optional<double> batch,
                                                std::optional<int> of_a_replica) {
    RunRequest requested = request;
    requested.global_batch = batch;
    requested.replica_batch = of_a_replica;
    return predicted_point(requested, accelerators, calibration, seed);
  };
  if (!request.workload->convergence.empty())
    subject.soonest = [at](int accelerators) { return at(accelerators, {}, {}); };
  subject.strong = [at](int accelerators, double batch) { return at(accelerators, batch, {}); };
  subject.weak = [at](int accelerators, double samples) {
    return at(accelerators, {}, static_cast<int>(samples));
  };
  subject.step = [request, split, compute = parameters.compute](int accelerators, double batch) {
    return step_at(request, split, accelerators, batch, compute);
  };
  return subject;
}

}  // namespace answers
}  // namespace tofn
