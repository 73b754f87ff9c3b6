#include "sim/answers/predict_answer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/answers/idle_choices.hpp"
#include "sim/cluster/cluster_fields.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/simulation/step_activity.hpp"
#include "sim/simulation/step_energy.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Sentence on stated CUDA graphs that differ from the workload's own but leave its steps as long.
std::vector<std::string> idle_graphs(const Run& benchmark, const Calibration& calibration) {
  const RunDescription& run = benchmark.benchmark->description;
  const CudaGraphs own = run.workload->cuda_graphs.value_or(CudaGraphs::None);
  if (run.settings.cuda_graphs.value_or(own) == own) return {};
  RunDescription other = run;
  other.settings.cuda_graphs = own;
  if (mean_step(benchmark.stretches).total !=
      mean_step(benchmark_run(other, calibration).stretches).total)
    return {};
  return {fmt::format("--cuda-graphs changes nothing here: steps take as long as with {}",
                      to_text(own))};
}

/// Sentence on a release that no step of the workload was calibrated with.
std::vector<std::string> other_release(const Benchmark& run) {
  const std::string& release = run.description.settings.software_release;
  const std::string& origin = run.parameters.compute.origin;
  if (release.empty() || run.description.workload->simulated ||
      origin.find(release) != std::string::npos)
    return {};
  return {fmt::format("release {} is not calibrated: steps of {}, with a wider range", release,
                      origin)};
}

RunPoint predicted_run(const WorkloadRequest& request, int accelerators,
                       const Calibration& calibration) {
  RunPoint point{.accelerators = accelerators};
  try {
    const Run run = paid_run(request.run, accelerators, calibration, request.seed);
    point.substitutions = substitutions(run);
    point.estimate = estimate(run);
    if (request.is_one_step) point.estimate->is_one_step = true;
    add_new(point.substitutions, other_release(*run.benchmark));
    add_new(point.substitutions, idle_graphs(run, calibration));
    add_new(point.substitutions, idle_choices(request.run.expenses, point.estimate->expense.run));
    if (const auto& memory = point.estimate->memory)
      point.fits = fits(*memory, request.run.cluster->accelerator);
  } catch (const InputError& error) {
    point.skipped_because = error.what();
  }
  point.assumed = assumed_figures(request.run, point);
  return point;
}

std::string figure_text(int value) { return fmt::format("{}", value); }
std::string figure_text(double value) { return fmt::format("{:g}", value); }
std::string figure_text(bool value) { return value ? "true" : "false"; }
template <class Q>
std::string figure_text(Q value) {
  return to_text(value);
}

/// Collects figures that state no source.
struct AssumedFigures {
  std::vector<std::string> found;

  template <class T>
  void look_at(const std::string& name, const Sourced<T>& figure) {
    if (figure.is_assumed()) found.push_back(fmt::format("{} {}", name, figure_text(figure.value)));
  }
  template <class T>
  void look_at(const std::string& name, const std::optional<Sourced<T>>& figure) {
    if (figure) look_at(name, *figure);
  }
};

/// Farthest tier of links that a job's collectives use.
Use farthest_tier(const Cluster& cluster, int accelerators) {
  if (!cluster.network || accelerators <= cluster.scale_up.domain_accelerators.value)
    return Use::ScaleUp;
  const int nodes = cluster.nodes_of(accelerators);
  return nodes > cluster.network->nodes_per_leaf.value ? Use::Spine : Use::Network;
}

}  // namespace

std::string WorkloadRequest::batch_choice() const {
  return run.global_batch || run.replica_batch
             ? "stated"
             : "the batch of known convergence that trains soonest";
}

RunQuestion question_of(const JobRequest& request) {
  return {.model = request.model().name,
          .run = request.run.name,
          .cluster = &request.cluster,
          .expenses = request.expenses,
          .grid_intensity = request.grid_intensity,
          .limits = request.limits,
          .batch_is_assumed = request.run.has_default_batch,
          .job = &request};
}

RunQuestion question_of(const WorkloadRequest& request) {
  const RunRequest& run = request.run;
  return {.workload = run.workload->name,
          .model = run.workload->model,
          .run = run.workload->name,
          .cluster = run.cluster,
          .expenses = run.expenses,
          .grid_intensity = run.grid_intensity,
          .limits = request.limits,
          .release = run.settings.software_release,
          .benchmark = &request};
}

const KernelProfile& stack_of(const RunQuestion& asked) {
  static const KernelProfile none;
  if (asked.job != nullptr) return asked.job->profile;
  const auto& simulated = asked.benchmark->run.workload->simulated;
  return simulated ? simulated->kernels : none;
}

PredictAnswer predict_answer(const JobRequest& request) {
  PredictAnswer answer{.question = question_of(request), .points = {}};
  for (const int size : request.sizes) answer.points.push_back(answered_point(request, size));
  require_any(answer.points);
  return answer;
}

PredictAnswer predict_answer(const WorkloadRequest& request, const Calibration& calibration) {
  PredictAnswer answer{.question = question_of(request), .points = {}};
  for (const int size : request.sizes)
    answer.points.push_back(predicted_run(request, size, calibration));
  require_any(answer.points);
  return answer;
}

std::vector<ScalingPoint> scaling_points(const std::vector<RunPoint>& points) {
  std::vector<const RunPoint*> known;
  for (const RunPoint& point : points)
    if (point.estimate) known.push_back(&point);
  const bool are_runs = std::none_of(known.begin(), known.end(), [](const RunPoint* point) {
    return point->estimate->is_one_step;
  });
  std::vector<ScalingPoint> scaling;
  for (const RunPoint* point : known) {
    const RunEstimate& run = *point->estimate;
    const double seconds = are_runs ? run.duration().base() : 1 / run.expected.samples_per_second;
    scaling.push_back({.accelerators = point->accelerators, .minutes = seconds / 60});
  }
  return scaling;
}

ScalingPoint fitting_reference(const std::vector<RunPoint>& points,
                               const std::vector<ScalingPoint>& scaling) {
  std::vector<ScalingPoint> candidates;
  for (const RunPoint* point : compared(points))
    candidates.push_back(*std::find_if(scaling.begin(), scaling.end(), [&](const auto& size) {
      return size.accelerators == point->accelerators;
    }));
  return reference_point(candidates);
}

Joules energy_per_sample(const RunEstimate& estimate) {
  const MachinePower& power = estimate.expense.power;
  const SimulatedStep* step = estimate.simulated();
  const Energy of_step = step != nullptr ? energy_of(*step, power.facility_factor)
                                         : energy_of(power, activity_of(estimate.step));
  return of_step.total() / estimate.plan.global_batch();
}

PassPrecision computed_precision(const RunRequest& request, const RunPoint& point) {
  if (point.estimate) return point.estimate->benchmark()->parameters.compute.precision;
  return pass_precision(request.workload->precision,
                        request.settings.fp8_attention.value_or(false));
}

std::vector<std::string> assumed_figures(const RunRequest& request, const RunPoint& point) {
  AssumedFigures figures;
  const Workload& workload = *request.workload;
  const Cluster& cluster = *request.cluster;
  const std::string_view precision = to_text(computed_precision(request, point).matmul);
  const auto of_accelerator = [&](const ClusterField& field, const auto& figure) {
    const bool is_used = field.section.empty() || field.key == precision;
    if (field.use == Use::Kernels && is_used)
      figures.look_at("accelerator." + field.dotted(), figure);
  };
  visit_accelerator(of_accelerator, cluster.accelerator);
  const Use farthest = farthest_tier(cluster, point.accelerators);
  const auto of_links = [&](const ClusterField& field, const auto& figure) {
    if (field.use <= farthest) figures.look_at(field.dotted(), figure);
  };
  visit_cluster(of_links, cluster);
  if (!workload.simulated) {
    figures.look_at("optimizer.bytes_per_parameter", workload.optimizer.bytes_per_parameter);
    figures.look_at("gradients.bucket", workload.gradients.bucket);
  }
  if (!workload.convergence.empty())
    figures.look_at("evaluation.samples", workload.evaluation.samples);
  if (point.estimate) add_new(figures.found, point.estimate->expense.assumed);
  return figures.found;
}

}  // namespace answers
}  // namespace tofn
