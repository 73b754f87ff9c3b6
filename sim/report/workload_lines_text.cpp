#include <utility>

#include <fmt/format.h>

#include "sim/answers/workload_run.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/parallelism/placed_plan.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/predict_report.hpp"

// Lines of a run of a workload.

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
std::vector<std::string> by_accelerators(const std::vector<RunPoint>& points,
                                         const TextOf& text_of) {
  std::vector<std::pair<std::string, std::vector<int>>> groups;
  for (const RunPoint& point : points) {
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

std::string settings_text(const OpenDescription& run, const RunPoint& point) {
  const RunSettings& settings = run.settings;
  const PassPrecision precision = computed_precision(run, point);
  std::string text = fmt::format("{} GEMMs, {} attention", to_text(precision.matmul),
                                 to_text(precision.attention));
  const bool is_simulated = run.workload->simulated.has_value();
  const auto typical = is_simulated ? std::optional{run.workload->simulated->plan.cuda_graphs}
                                    : run.workload->cuda_graphs;
  text += settings.cuda_graphs ? fmt::format(", CUDA graphs {}", to_text(*settings.cuda_graphs))
          : typical ? fmt::format(", CUDA graphs {}, the default of the {}", to_text(*typical),
                                  is_simulated ? "plan" : "workload")
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
  const RunParameters& p = point.estimate->benchmark()->parameters;
  if (!point.estimate->run->has_target() || p.fixed.value >= 0) return {};
  return note("clock",
              fmt::format("stops {:.1f} {} early, as in published runs: training is without them",
                          -p.fixed.value, p.fixed_is_in_steps ? "steps" : "s"));
}

}  // namespace

std::string workload_plan_text(const WorkloadRun& request, const std::vector<RunPoint>& points) {
  const OpenDescription& run = request.open;
  auto plans = by_accelerators(points, [&](const RunPoint& point) {
    const Plan& plan = point.estimate->plan;
    const std::string placed = placement_words(plan, *run.cluster);
    return (run.workload->simulated ? plan_words(simulated_plan(*run.workload, plan, run.settings))
                                    : plan_text(plan)) +
           (placed.empty() ? placed : fmt::format(", {} accelerators of a domain", placed));
  });
  if (plans.size() > 1) plans = {"one for each N (--details)"};
  const bool is_split_further = std::ranges::any_of(points, [&](const RunPoint& point) {
    return point.estimate && run.workload->simulated && !run.plan && !run.tensor_parallel_size &&
           point.estimate->plan.tensor_parallel_size !=
               run.workload->simulated->plan.tensor_parallel_size;
  });
  plans.front() =
      fmt::format("{}{}: {}", request.plan_choice,
                  is_split_further ? ", its layers over more ranks" : "", plans.front());
  return listed_note("plan", plans, ";");
}

std::string workload_batch_text(const WorkloadRun& request, const std::vector<RunPoint>& points) {
  if (points.size() > 1) return note("batch", request.batch_choice());
  const Plan& plan = points.front().estimate->plan;
  return note("batch", fmt::format("{:g} = {} replicas x {} x {:g} samples; {}",
                                   plan.global_batch(), plan.data_parallel_size,
                                   counted(plan.gradient_accumulation, "accumulation step"),
                                   plan.micro_batch, request.batch_choice()));
}

std::string weights_text(const WorkloadRun& request, const RunPoint& point) {
  if (point.estimate->memory) return {};
  const Precision matmul = computed_precision(request.open, point).matmul;
  const bool is_narrow = matmul == Precision::Fp8 || matmul == Precision::Fp4;
  const Bytes weights{request.open.workload->parameters * (is_narrow ? 1 : 2) /
                      point.estimate->plan.tensor_parallel_size};
  const Bytes memory = request.open.cluster->accelerator.memory.value;
  if (weights <= memory) return {};
  return note("memory", fmt::format("not modelled, but {} of weights do not fit {}",
                                    to_text(weights), to_text(memory)));
}

std::string workload_basis_text(const WorkloadRun& request, const std::vector<RunPoint>& points) {
  const std::string& release = request.open.settings.software_release;
  const bool is_simulated = request.open.workload->simulated.has_value();
  std::string text =
      listed_note(is_simulated ? "steps from" : "calibrated on",
                  by_accelerators(points,
                                  [](const RunPoint& point) {
                                    return point.estimate->benchmark()->parameters.compute.origin;
                                  }),
                  ";");
  if (!is_simulated) {
    text +=
        note("release", release.empty() ? "not stated"
                                        : fmt::format("{} ({})", release, request.release_choice));
    const std::string& model = request.open.workload->model;
    text += note("memory", model.empty()
                               ? "not counted: measured steps do not show it"
                               : fmt::format("not counted: measured steps do not show it, and "
                                             "`tofn predict {}` counts it",
                                             model));
  }
  text += listed_note(
      "settings",
      by_accelerators(points,
                      [&](const RunPoint& point) { return settings_text(request.open, point); }),
      ";");
  const RunPoint* largest = nullptr;
  for (const RunPoint& point : points)
    if (point.estimate) largest = &point;
  return text + clock_note(*largest);
}

std::string no_target_text(const WorkloadRun& request) {
  if (!request.open.workload->convergence.empty()) return {};
  return note("no target", "the workload has no reference convergence points, so no time to train");
}

}  // namespace report
}  // namespace tofn
