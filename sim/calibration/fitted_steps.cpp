#include "sim/calibration/fitted_steps.hpp"

#include <cmath>
#include <map>
#include <string>

#include <fmt/format.h>

#include "sim/core/parallel.hpp"

namespace tofn {
inline namespace calibration {
namespace {

double error_of(const ObservedStep& observed, const KernelProfile& by) {
  return std::log(observed.step.measured->base() / closed_step(observed.step, by).base());
}

StackResponse response_of(const ObservedStep& observed, const KernelProfile& by,
                          FigureSet figures) {
  const StepCase& step = observed.step;
  return stack_response(
      by, [&](const KernelProfile& of) { return closed_step(step, of).base(); },
      step.cluster.accelerator.architecture, figures);
}

}  // namespace

FigureSet figures_of_steps(bool with_experts) {
  FigureSet figures;
  for (std::size_t i = 0; i < figure_count; ++i)
    figures[i] = stack_figures[i].of_mixtures == with_experts;
  return figures;
}

void set_figures(KernelProfile& profile, const std::array<double, figure_count>& logarithms) {
  profile.chips.clear();
  profile.mixture_chips.clear();
  for (std::size_t i = 0; i < figure_count; ++i)
    stack_figures[i].set(profile, stack_figures[i].typical * std::exp(logarithms[i]));
}

StepLesson lesson_at_default_figures(const ObservedStep& step, KernelProfile profile) {
  set_figures(profile, {});
  return {.error = error_of(step, profile),
          .response = response_of(step, profile, figures_of_steps(has_experts(step.step.model)))};
}

void FittedStep::evaluate(const Eigen::VectorXd& effects, bool with_response) {
  if (with_response && observed->at_default_figures && effects.isZero(0)) {
    lesson = *observed->at_default_figures;
    leave_out_unfelt();
    return;
  }
  std::array<double, figure_count> logarithms{};
  for (const std::size_t block : blocks)
    for (std::size_t i = 0; i < figure_count; ++i) logarithms[i] += effects[eigen_index(block + i)];
  KernelProfile by = *profile;
  set_figures(by, logarithms);
  lesson.error = error_of(*observed, by);
  for (const std::size_t chip : chips) lesson.error -= effects[eigen_index(chip)];
  if (!with_response) return;
  lesson.response = response_of(*observed, by, figures);
  leave_out_unfelt();
}

void FittedStep::leave_out_unfelt() {
  for (std::size_t i = 0; i < figure_count; ++i)
    if (stack_figures[i].of_some && lesson.response[i] == 0) figures[i] = false;
}

void evaluate(std::vector<FittedStep>& rows, const Eigen::VectorXd& effects, bool with_responses) {
  constexpr std::size_t parts = 2;
  in_parallel(parts, [&](std::size_t first) {
    for (std::size_t i = first; i < rows.size(); i += parts)
      rows[i].evaluate(effects, with_responses);
  });
}

std::vector<RelatedSteps> related_steps_of(const std::vector<FittedStep>& rows) {
  std::map<std::string, std::map<std::string, std::vector<std::size_t>>> models;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const ObservedStep& step = *rows[i].observed;
    models[fmt::format("{}|{}|{}", step.stack, step.model, step.step.cluster.accelerator.name)]
          [plan_key(step.step)]
              .push_back(i);
  }
  std::vector<RelatedSteps> all;
  for (const auto& [model, plans] : models) {
    RelatedSteps related;
    for (const auto& [plan, steps] : plans) {
      related.plans.emplace_back();
      for (const std::size_t step : steps) {
        related.plans.back().push_back(related.steps.size());
        related.steps.push_back(step);
      }
    }
    related.noise.resize(eigen_index(related.steps.size()));
    for (std::size_t i = 0; i < related.steps.size(); ++i)
      related.noise[eigen_index(i)] = rows[related.steps[i]].observed->noise;
    all.push_back(std::move(related));
  }
  return all;
}

}  // namespace calibration
}  // namespace tofn
