#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sim/cluster/measured_machine.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/parallelism/placed_plan.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/predict_report.hpp"

namespace tofn {
inline namespace report {
namespace {

std::string plan_text(const Plan& plan) {
  std::string text;
  if (plan.tensor_parallel_size > 1) text += fmt::format("tp {}, ", plan.tensor_parallel_size);
  if (plan.context_parallel_size > 1) text += fmt::format("cp {}, ", plan.context_parallel_size);
  if (plan.model_parallel_size() == 1) text += "data parallel, ";
  if (plan.gradient_accumulation > 1)
    text += fmt::format("accumulation {}, ", plan.gradient_accumulation);
  return text.substr(0, text.size() - 2);
}

/// Texts of the points, with equal neighbours combined: `a (N = 8..16)` and `b (N = 64)`, or only
/// `a`.
template <class TextOf>
std::vector<std::string> by_accelerators(const PredictionStudy& study, const TextOf& text_of) {
  std::vector<std::pair<std::string, std::vector<int>>> groups;
  for (const RunPoint& point : study.points) {
    if (!point.estimate) continue;
    const std::string text = text_of(point);
    if (groups.empty() || groups.back().first != text) groups.push_back({text, {}});
    groups.back().second.push_back(point.accelerators);
  }
  if (groups.size() == 1) return {groups.front().first};
  std::vector<std::string> texts;
  texts.reserve(groups.size());
  for (const auto& [what, counts] : groups)
    texts.push_back(counts.size() > 1
                        ? fmt::format("{} (N = {}..{})", what, counts.front(), counts.back())
                        : fmt::format("{} (N = {})", what, counts.front()));
  return texts;
}

std::string settings_text(const PredictionStudy& study, const RunPoint& point) {
  const RunSettings& settings = study.settings;
  const PassPrecision precision = computed_precision(study, point);
  std::string text = fmt::format("{} GEMMs, {} attention", to_text(precision.matmul),
                                 to_text(precision.attention));
  const auto& typical = study.workload->cuda_graphs;
  text += settings.cuda_graphs ? fmt::format(", CUDA graphs {}", to_text(*settings.cuda_graphs))
          : typical
              ? fmt::format(", CUDA graphs {}, the default of the workload", to_text(*typical))
              : ", CUDA graphs not stated";
  text += fmt::format(", SHARP {}", settings.in_network_reduction.value_or(false) ? "on" : "off");
  if (settings.tensor_overlap)
    text += fmt::format(", tensor overlap {}", *settings.tensor_overlap ? "on" : "off");
  if (settings.overlap_gradient_reduction)
    text +=
        fmt::format(", gradient overlap {}", *settings.overlap_gradient_reduction ? "on" : "off");
  return text;
}

/// Line for a benchmark whose training takes less than steps x step time.
std::string clock_note(const RunPoint& point) {
  const BenchmarkRun& run = *point.estimate->benchmark;
  const RunParameters& p = run.model.parameters();
  if (!run.has_target() || p.fixed.value >= 0) return {};
  return note("clock",
              fmt::format("stops {:.1f} {} early, as in published runs: training is without them",
                          -p.fixed.value, p.fixed_is_in_steps ? "steps" : "s"));
}

}  // namespace

std::string plan_line(const PredictionStudy& study) {
  const bool is_simulated = study.workload->simulated.has_value();
  auto plans = by_accelerators(study, [&](const auto& point) {
    const Plan& plan = point.estimate->plan;
    const std::string placed = placement_words(plan, *study.cluster);
    return (is_simulated ? plan_words(simulated_plan(*study.workload, plan, study.settings))
                         : plan_text(plan)) +
           (placed.empty() ? placed : fmt::format(", {} accelerators of a domain", placed));
  });
  plans.front() = fmt::format("{}: {}", study.plan_choice, plans.front());
  return listed_note("plan", plans, ";");
}

std::string weights_text(const PredictionStudy& study, const RunPoint& point) {
  if (point.estimate->memory) return {};
  const Precision matmul = computed_precision(study, point).matmul;
  const bool is_narrow = matmul == Precision::Fp8 || matmul == Precision::Fp4;
  const Bytes weights{study.workload->parameters * (is_narrow ? 1 : 2) /
                      point.estimate->plan.tensor_parallel_size};
  const Bytes memory = study.cluster->accelerator.memory.value;
  if (weights <= memory) return {};
  return note("memory", fmt::format("not modelled, but {} of weights do not fit {}",
                                    to_text(weights), to_text(memory)));
}

std::string assumed_lines(const PredictionStudy& study) {
  std::vector<std::string> all;
  for (const RunPoint& point : study.points) add_new(all, point.substitutions);
  return substitutions_text(all);
}

std::string predict_notes(const PredictionStudy& study) {
  const Cluster& cluster = *study.cluster;
  const std::string& release = study.settings.software_release;
  const bool is_simulated = study.workload->simulated.has_value();
  std::string text = listed_note(
      is_simulated ? "steps from" : "calibrated on",
      by_accelerators(study,
                      [](const RunPoint& point) {
                        return point.estimate->benchmark->model.parameters().compute.origin;
                      }),
      ";");
  if (!is_simulated)
    text +=
        note("release", release.empty() ? "not stated"
                                        : fmt::format("{} ({})", release, study.release_choice));
  text += listed_note(
      "settings",
      by_accelerators(study, [&](const RunPoint& point) { return settings_text(study, point); }),
      ";");
  const RunPoint* largest = &study.points.front();
  for (const RunPoint& point : study.points)
    if (point.estimate) largest = &point;
  text += clock_note(*largest);
  std::string machine = fmt::format("{}: {} x {} a node", cluster.name,
                                    cluster.accelerators_per_node.value, cluster.accelerator.name);
  if (cluster.network)
    machine += fmt::format(", {} x {:g} Gb/s", cluster.network->nics_per_node.value,
                           cluster.network->nic_bandwidth.value.base() * 8e-9);
  text += note("cluster", machine);
  if (cluster.measured)
    text += note("collectives", fmt::format("calibration {} where it was measured, else formulas",
                                            cluster.measured->name));
  text += expense_notes(study, *largest);
  auto assumed = assumed_figures(study, *largest);
  if (assumed.empty()) assumed.emplace_back("nothing");
  return text + listed_note("assumed", assumed);
}

}  // namespace report
}  // namespace tofn
