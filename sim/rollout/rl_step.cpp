#include "sim/rollout/rl_step.hpp"

#include <algorithm>

namespace tofn {
inline namespace rollout {

Seconds RlStep::period() const {
  if (placement.is_colocated) return generation() + training();
  return std::max(
      {training(), rollout.busy, (generation() + training()) / (placement.steps_off + 1.0)});
}

Seconds RlStep::generators_wait() const {
  if (placement.is_colocated) return {};
  return std::max(Seconds{}, period() - generation());
}

Seconds RlStep::trainers_wait() const {
  if (placement.is_colocated) return {};
  return period() - training();
}

std::string_view limit_of(const RlStep& step) {
  if (step.placement.takes_turns()) return "both in turn";
  if (step.period() == step.training()) return "training";
  if (step.period() == step.rollout.busy) return "generation";
  return "longest responses";
}

TrainingTimes training_times(const TrainingPasses& passes, const Decoder& decoder,
                             const RlFigures& figures) {
  const double slowdown =
      decoder.experts.empty() ? figures.dense_slowdown : figures.mixture_slowdown;
  const Seconds branch = decoder.experts.empty() ? Seconds{} : figures.mixture_branch;
  return {.logprobs = std::max(slowdown * passes.logprobs, passes.logprob_branches * branch),
          .updates = std::max(slowdown * passes.updates, passes.update_branches * branch)};
}

RlStep rl_step(const RolloutTimes& rollout, const TrainingPasses& passes, const Decoder& decoder,
               const RlFigures& figures, const RlPlacement& placement) {
  const double parameters = decoder.all_parameters();
  const TrainingTimes times = training_times(passes, decoder, figures);
  return {.rollout = rollout,
          .refit = refit_time(parameters),
          .logprobs = times.logprobs,
          .updates = times.updates,
          .others = parameters * figures.for_parameter,
          .placement = placement};
}

}  // namespace rollout
}  // namespace tofn
