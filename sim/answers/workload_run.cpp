#include "sim/answers/workload_run.hpp"

#include <fmt/format.h>

#include "sim/answers/idle_choices.hpp"
#include "sim/cluster/cluster_fields.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/parallelism/substitutions.hpp"

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

RunPoint point_of(const RunRequest& request, const WorkloadRun& of, int accelerators) {
  Run run = benchmark_run(choose_run(of.open, accelerators, of.calibration), of.calibration,
                          request.seed);
  run.expenses = request.expenses;
  run.grid_intensity = request.grid_intensity;
  RunPoint point{.accelerators = accelerators, .estimate = estimate(run)};
  if (of.is_one_step) point.estimate->is_one_step = true;
  point.substitutions = substitutions(run);
  add_new(point.substitutions, idle_choices(request.expenses, point.estimate->expense));
  if (const auto& memory = point.estimate->memory)
    point.fits = fits(*memory, of.machine().accelerator);
  point.assumed = assumed_figures(of.open, point);
  return point;
}

std::vector<std::string> advice_on(const WorkloadRun& of, const RunPoint& point) {
  const Run& run = *point.estimate->run;
  std::vector<std::string> words = other_release(*run.benchmark);
  add_new(words, idle_graphs(run, of.calibration));
  return words;
}

PassPrecision computed_precision(const OpenDescription& request, const RunPoint& point) {
  if (point.estimate) return point.estimate->benchmark()->parameters.compute.precision;
  return pass_precision(request.workload->precision,
                        request.settings.fp8_attention.value_or(false));
}

std::vector<std::string> assumed_figures(const OpenDescription& request, const RunPoint& point) {
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
