#include "sim/answers/idle_choices.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace answers {

namespace {

bool is_stated(const StatedPlan& file, std::string_view field) {
  return std::ranges::find(file.stated, field) != file.stated.end();
}

bool is_as_without(const SimulatedStep& made, const Plan& without, const KernelProfile& profile) {
  try {
    const SimulatedStep other =
        simulate_step(made.model, without, made.cluster, profile, made.heterogeneous, made.seed);
    return closed_form(other.work).total == closed_form(made.work).total &&
           other.memory[other.tightest()].total() == made.memory[made.tightest()].total();
  } catch (const InputError&) {
    return false;  // the plan needs it
  }
}

}  // namespace

std::vector<std::string> idle_sentences(const std::vector<std::string>& sentences) {
  std::vector<std::string> idle;
  for (const std::string& each : sentences)
    if (each.find(" nothing here: ") != std::string::npos) idle.push_back(each);
  return idle;
}

std::vector<std::string> idle_switches(const StatedPlan& file, const SimulatedStep& made,
                                       const KernelProfile& profile) {
  std::vector<std::string> sentences;
  visit_plan([&](const PlanField& field, auto member) {
    using Choice = std::decay_t<decltype(made.plan.*member)>;
    if constexpr (std::is_same_v<Choice, bool> || std::is_same_v<Choice, CudaGraphs>) {
      const Choice off = Plan{}.*member;
      const bool is_reported = field.name == "sharp";  // by the choice of collectives
      if (is_reported || !is_stated(file, field.name) || made.plan.*member == off) return;
      Plan without = made.plan;
      without.*member = off;
      // Stages that follow from the switch share the layers anew.
      if (field.name == "balanced_stages" && !is_stated(file, "stage_layers"))
        without.stage_layers = Plan{}.stage_layers;
      if (is_as_without(made, without, profile))
        sentences.push_back(fmt::format(
            "--{} changes nothing here: the step takes as long and holds as much without it",
            field.option()));
    }
  });
  return sentences;
}

std::vector<std::string> idle_choices(const StatedPlan& file, const Plan& made) {
  Plan request = made;
  visit_plan([&](const PlanField& field, auto member) {
    if (is_stated(file, field.name) && !field.is_worked_out) request.*member = file.split.*member;
  });
  std::vector<std::string> sentences;
  visit_idle(request, [&](const PlanField& field, auto member) {
    if (is_stated(file, field.name) && request.*member != Plan{}.*member)
      sentences.push_back(
          fmt::format("--{} does nothing here: it needs {}", field.option(), field.need.words));
  });
  return sentences;
}

std::vector<std::string> other_micro_batch(const StatedPlan& stated, const Plan& plan) {
  if (!stated.micro_batch || std::abs(plan.micro_batch - *stated.micro_batch) < 1e-9) return {};
  const double samples = plan.micro_batch * plan.gradient_accumulation;
  return {fmt::format("micro-batches of {} {} the {:g} samples of a replica, which runs {} of {:g}",
                      *stated.micro_batch,
                      *stated.micro_batch > samples ? "exceed" : "do not divide", samples,
                      plan.gradient_accumulation, plan.micro_batch)};
}

std::vector<std::string> choice_words(const StatedPlan& file, const BestPlan& made) {
  std::vector<std::string> sentences;
  if (made.tried > 1)
    sentences.push_back(made.fits
                            ? "the rest of the plan is that of the fastest step that fits"
                            : "the rest of the plan misses the memory by least, since none fits");
  add_new(sentences, other_micro_batch(file, made.plan));
  add_new(sentences, idle_choices(file, made.plan));
  return sentences;
}

std::vector<std::string> idle_choices(const ExpenseOptions& request, const Expense& expense) {
  std::vector<std::string> sentences;
  if (expense.run.checkpoint_every) return sentences;
  const bool is_likely_to_fail = expense.run.expected > expense.interruptions.mean_between;
  if (request.checkpoint_every && is_likely_to_fail)
    return {
        "no checkpoint is ever written, because the work takes less than --checkpoint-every, so "
        "that each failure starts it anew"};
  for (const auto& [option, stated] : {std::pair("checkpoint-cost", request.checkpoint),
                                       std::pair("checkpoint-every", request.checkpoint_every)})
    if (stated)
      sentences.push_back(
          fmt::format("--{} does nothing here: the run ends before a checkpoint is due", option));
  return sentences;
}

}  // namespace answers
}  // namespace tofn
