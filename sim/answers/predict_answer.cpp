#include "sim/answers/predict_answer.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/cluster/cluster_fields.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/simulation/step_activity.hpp"
#include "sim/training/run.hpp"

namespace tofn {
inline namespace answers {
namespace {

constexpr double joules_per_kwh = 3.6e6;

/// Of the run, or of one step where there is no target.
Expense expense_of_point(const RunPrediction& prediction, const Cluster& cluster, int accelerators,
                         const ExpenseOptions& options) {
  const RunBreakdown& run = prediction.expected;
  const bool trains = run.samples > 0;
  return expense_of(cluster, accelerators, trains ? activity_of(run) : activity_of(run.step),
                    trains ? run.total().basis : run.step.cost().basis, options);
}

PredictedPoint predicted_point(const PredictRequest& request, int accelerators,
                               const Calibration& calibration) {
  PredictedPoint point{.accelerators = accelerators,
                       .run = {},
                       .parameters = {},
                       .prediction = {},
                       .expense = {},
                       .skipped_because = {}};
  try {
    point.run = choose_run(request.run, accelerators, calibration);
    point.parameters = parameters_of(*point.run, calibration);
    const RunModel model(*point.run, *point.parameters);
    const auto prediction = predict(model, usual_draws, request.seed);
    point.substitutions = substitutions(model);
    if (request.run.workload->simulated)
      point.memory = simulated_footprint(*request.run.workload, *request.run.cluster,
                                         point.run->plan, request.run.settings);
    point.expense =
        expense_of_point(prediction, *request.run.cluster, accelerators, request.expenses);
    point.prediction = prediction;
  } catch (const InputError& error) {
    point.skipped_because = error.what();
  }
  return point;
}

void refuse_if_nothing_was_predicted(const PredictionStudy& study) {
  const bool any = std::any_of(study.points.begin(), study.points.end(),
                               [](const auto& point) { return point.prediction.has_value(); });
  if (any) return;
  const PredictedPoint& first = study.points.front();
  throw InputError({}, fmt::format("N = {}", first.accelerators),
                   first.skipped_because + (study.points.size() > 1 ? " (nor any other N)" : ""));
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

/// The tier that a job's collectives go out to.
Use farthest_tier(const Cluster& cluster, int accelerators) {
  if (!cluster.network || accelerators <= cluster.scale_up.domain_accelerators.value)
    return Use::ScaleUp;
  const int nodes = cluster.nodes_of(accelerators);
  return nodes > cluster.network->nodes_per_leaf.value ? Use::Spine : Use::Network;
}

Ranged with_time(double value, const PredictedPoint& point) {
  const Interval& seconds = point.prediction->total_seconds;
  const double expected = point.prediction->expected.total().time.base();
  return {value, {value * seconds.low / expected, value * seconds.high / expected}};
}

}  // namespace

PredictionStudy predict_answer(const PredictRequest& request, const Calibration& calibration) {
  const RunRequest& run = request.run;
  PredictionStudy study{.workload = run.workload,
                        .cluster = run.cluster,
                        .settings = run.settings,
                        .release_choice = request.release_choice,
                        .plan_choice = request.plan_choice,
                        .batch_choice = run.global_batch || run.replica_batch
                                            ? "asked for"
                                            : "the known batch that trains soonest",
                        .points = {}};
  for (const int size : request.sizes)
    study.points.push_back(predicted_point(request, size, calibration));
  refuse_if_nothing_was_predicted(study);
  return study;
}

bool fits(const PredictionStudy& study, const PredictedPoint& point) {
  return !point.memory || fits(*point.memory, study.cluster->accelerator);
}

bool all_fit(const PredictionStudy& study) {
  return std::all_of(study.points.begin(), study.points.end(),
                     [&](const PredictedPoint& point) { return fits(study, point); });
}

bool trains_to_target(const PredictedPoint& point) {
  return point.prediction && point.prediction->expected.samples > 0;
}

double throughput(const PredictedPoint& point) {
  return point.run->plan.global_batch() / point.prediction->expected.step.total.base();
}

ScalingPoint scaling_point(const PredictedPoint& point) {
  const double seconds = trains_to_target(point) ? point.prediction->expected.total().time.base()
                                                 : 1 / throughput(point);
  return {.accelerators = point.accelerators, .minutes = seconds / 60};
}

Ranged energy_kwh(const PredictedPoint& point) {
  const Ranged by_time = with_time(point.expense->energy.total().base() / joules_per_kwh, point);
  return {by_time.value, with_power_doubt(by_time.value, by_time.interval)};
}

Ranged cost_usd(const PredictedPoint& point) { return with_time(*point.expense->usd, point); }

Joules energy_per_sample(const PredictedPoint& point) {
  const double samples =
      trains_to_target(point) ? point.prediction->expected.samples : point.run->plan.global_batch();
  return point.expense->energy.total() / samples;
}

PassPrecision computed_precision(const PredictionStudy& study, const PredictedPoint& point) {
  if (point.parameters) return point.parameters->compute.precision;
  return pass_precision(study.workload->precision, study.settings.fp8_attention.value_or(false));
}

std::vector<std::string> assumed_figures(const PredictionStudy& study,
                                         const PredictedPoint& point) {
  AssumedFigures figures;
  const Workload& workload = *study.workload;
  const Cluster& cluster = *study.cluster;
  const std::string_view precision = to_text(computed_precision(study, point).matmul);
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
  if (point.expense)
    figures.found.insert(figures.found.end(), point.expense->assumed.begin(),
                         point.expense->assumed.end());
  return figures.found;
}

}  // namespace answers
}  // namespace tofn
