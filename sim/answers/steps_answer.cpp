#include "sim/answers/steps_answer.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "sim/core/parallel.hpp"
#include "sim/evidence/known_steps.hpp"
#include "sim/simulation/stack_uncertainty.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Returns the stack as seen from rows whose errors are `noise` times as large.
KernelProfile with_noise(KernelProfile stack, double noise) {
  for (Discrepancy* own : {&stack.uncertainty.discrepancy, &stack.uncertainty.of_mixtures})
    *own = {.run = noise * own->run, .plan = noise * own->plan, .model = noise * own->model};
  return stack;
}

/// Name of the group of steps that the prediction of this one is not fitted to.
std::string group_of(const KnownSteps& known, const KnownStep& step, StepProtocol protocol) {
  const std::string& chip = step.fitted.step.cluster.accelerator.name;
  switch (protocol) {
    case StepProtocol::LeftOutModel:
    case StepProtocol::OneMeasured:
      break;
    case StepProtocol::UnknownStack:
      return "family " + known.profile_of(step).own_family();
    case StepProtocol::LeftOutStackOnChip:
      return fmt::format("{} on {}", step.fitted.stack, chip);
    case StepProtocol::LeftOutChip:
      return "chip " + chip;
  }
  return "model " + widths_of(step.row);
}

void set(std::vector<ScoredStep>& scored, const KnownStep& step, const KernelProfile& stack,
         bool is_unknown) {
  const StepCase as_run = is_unknown ? run_by(stack, step.row) : step.fitted.step;
  ScoredStep& result = scored[*step.scored];
  result.predicted = closed_step(as_run, stack).base();
  result.deviation = scatter_scale(
      stack, stack_deviation(stack_response(stack, as_run),
                             uncertainty_on(stack, as_run.cluster.accelerator, as_run.model)));
}

/// Updates the prediction of each stack, model, accelerator and precision by its smallest step, and
/// scores the larger ones.
void score_larger(const KnownSteps& known, const std::vector<const KnownStep*>& members,
                  const StackFit& others, std::vector<ScoredStep>& scored) {
  std::map<std::string, std::vector<const KnownStep*>> alike;
  for (const KnownStep* step : members)
    alike[fmt::format("{}|{}|{}|{}", step->row.stack, step->row.step.model.name,
                      step->row.accelerator, to_text(step->row.step.model.precision))]
        .push_back(step);
  for (const auto& [name, steps] : alike) {
    const auto size = [](const KnownStep* step) {
      const Plan& plan = step->row.step.plan;
      return std::tuple(plan.accelerators(),
                        plan.global_batch() * step->row.step.model.sequence_length);
    };
    const KnownStep* first = *std::ranges::min_element(
        steps, [&](const auto* a, const auto* b) { return size(a) < size(b); });
    const std::string plan = plan_key(first->fitted.step);
    for (const KnownStep* step : steps) {
      const KernelProfile stack =  // of the step's own release
          with_noise(others.learned(known.profile_of(*step)), first->fitted.noise);
      const bool is_alike = plan_key(step->fitted.step) == plan;
      if (step->row.step.plan.accelerators() > first->row.step.plan.accelerators())
        set(scored, *step,
            sharpened(stack, first->fitted.step, is_alike ? Shared::ModelAndPlan : Shared::Model),
            false);
      else
        scored[*step->scored].skipped_because =
            step == first ? "it is the one that was measured" : "no more accelerators than that";
    }
  }
}

/// Steps that are left out together, with the indices of the answers that leave them out.
struct HiddenGroup {
  std::string name;
  std::vector<std::size_t> answers;
};

/// Answers that are scored together, one for each protocol.
struct Scoring {
  const KnownSteps& known;
  std::vector<StepProtocol> protocols;
  std::vector<std::vector<ScoredStep>> scored;

  void score(const HiddenGroup& group) {
    const StepProtocol first = protocols[group.answers.front()];
    const StackFit others = known.fit(
        [&](const KnownStep& step) { return group_of(known, step, first) != group.name; });
    std::vector<const KnownStep*> members;
    for (const KnownStep& step : known.all())
      if (step.scored && group_of(known, step, first) == group.name) members.push_back(&step);
    for (const std::size_t answer : group.answers) {
      if (protocols[answer] == StepProtocol::OneMeasured)
        score_larger(known, members, others, scored[answer]);
      else if (protocols[answer] == StepProtocol::LeftOutStackOnChip && is_on_one_chip(members))
        skip(members, "its stack has steps on this accelerator alone", scored[answer]);
      else
        score_all(members, others, protocols[answer] == StepProtocol::UnknownStack, scored[answer]);
    }
  }

  void score_all(const std::vector<const KnownStep*>& members, const StackFit& others,
                 bool is_unknown, std::vector<ScoredStep>& of_answer) const {
    for (const KnownStep* step : members)
      set(of_answer, *step,
          with_noise(others.learned(is_unknown ? known.unknown() : known.profile_of(*step)),
                     step->fitted.noise),
          is_unknown);
  }

  /// True if all known steps of the members' stack were measured on their chip.
  bool is_on_one_chip(const std::vector<const KnownStep*>& members) const {
    const FittedStep& own = members.front()->fitted;
    return std::ranges::none_of(known.all(), [&](const KnownStep& step) {
      return step.fitted.stack == own.stack &&
             step.fitted.step.cluster.accelerator.name != own.step.cluster.accelerator.name;
    });
  }

  static void skip(const std::vector<const KnownStep*>& members, const char* why,
                   std::vector<ScoredStep>& of_answer) {
    for (const KnownStep* step : members) of_answer[*step->scored].skipped_because = why;
  }

  /// Groups of steps to leave out. Protocols that leave out the same steps share a group and its
  /// fit.
  std::vector<HiddenGroup> groups() const {
    std::map<std::string, std::vector<std::size_t>> found;
    for (std::size_t i = 0; i < protocols.size(); ++i) {
      std::set<std::string> names;
      for (const KnownStep& step : known.all())
        if (step.scored) names.insert(group_of(known, step, protocols[i]));
      for (const std::string& name : names) found[name].push_back(i);
    }
    std::vector<HiddenGroup> all;
    for (const auto& [name, answers] : found) all.push_back({name, answers});
    return all;
  }
};

std::vector<std::vector<ScoredStep>> scored_by(const std::filesystem::path& configs,
                                               const std::vector<std::filesystem::path>& tables,
                                               std::vector<StepProtocol> protocols,
                                               const OnProgress& on_progress,
                                               std::vector<std::string>* notes = nullptr) {
  KnownSteps steps(configs);
  for (const auto& table : tables_of_steps(configs)) steps.read(table, nullptr);
  std::vector<ScoredStep> scored;
  for (const auto& table : tables) steps.read(table, &scored, notes);
  steps.prepare();
  Scoring scoring{.known = steps, .protocols = std::move(protocols), .scored = {}};
  scoring.scored.assign(scoring.protocols.size(), scored);
  const std::vector<HiddenGroup> groups = scoring.groups();
  std::mutex mutex;
  std::size_t done = 0;
  in_parallel(groups.size(), [&](std::size_t i) {
    scoring.score(groups[i]);
    const std::lock_guard lock(mutex);
    ++done;
    if (on_progress) on_progress(done, groups.size());
  });
  return scoring.scored;
}

}  // namespace

std::vector<ScoredStep> steps_answer(const std::filesystem::path& configs,
                                     const std::vector<std::filesystem::path>& tables,
                                     StepProtocol protocol, const OnProgress& on_progress,
                                     std::vector<std::string>* notes) {
  return scored_by(configs, tables, {protocol}, on_progress, notes).front();
}

std::vector<std::vector<ScoredStep>> steps_by_each_protocol(
    const std::filesystem::path& configs, const std::vector<std::filesystem::path>& tables,
    const OnProgress& on_progress) {
  std::vector<StepProtocol> protocols;
  for (const auto& [name, protocol] : step_protocols) protocols.push_back(protocol);
  return scored_by(configs, tables, std::move(protocols), on_progress);
}

}  // namespace answers
}  // namespace tofn
