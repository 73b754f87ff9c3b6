#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/rl_report.hpp"
#include "sim/report/run_screen.hpp"

namespace tofn {
inline namespace report {

std::string placement_words_of(const RlSplit& split) {
  const RlPlacement& placement = split.step.placement;
  const int all = split.generators;
  if (placement.is_colocated) {
    if (all == 1) return "on policy; it generates, then trains";
    if (split.idle() == 0) return fmt::format("on policy; all {} generate, then train", all);
    return fmt::format("on policy; {} of {} generate, then all train", all - split.idle(), all);
  }
  const char* generate = all == 1 ? "generates" : "generate";
  const char* train = split.trainers == 1 ? "trains" : "train";
  if (placement.takes_turns())
    return fmt::format("on policy; {} {}, then {} {}", all, generate, split.trainers, train);
  return fmt::format("{} off; {} {} beside {} that {}", counted(placement.steps_off, "step"), all,
                     generate, split.trainers, train);
}

std::string engines_words(const RlSplit& split) {
  std::string text =
      fmt::format("{} of {}{}", counted(split.engines, "engine"), split.engine.ranks,
                  split.engine.shares_sequences() ? " with data-parallel attention" : "");
  if (split.idle() > 0)
    text += fmt::format(", which leave{} {} idle", split.engines == 1 ? "s" : "",
                        counted(split.idle(), "accelerator"));
  return text;
}

namespace {

std::string rl_parts_text(const RlStep& step) {
  const std::array<std::pair<const char*, Seconds>, 5> parts{
      {{"rollout", step.generation()},
       {"updates of the optimizer", step.updates},
       {"log-probabilities", step.logprobs},
       {"states, reward, buffers", step.others},
       {"weights to the engines", step.refit}}};
  Seconds longest;
  for (const auto& [name, time] : parts) longest = std::max(longest, time);
  std::string text;
  constexpr double width = 28;
  for (const auto& [name, time] : parts)
    text += note(text.empty() ? "parts" : "",
                 fmt::format("{:<25} {:>9}  {}", name, time_words(time),
                             std::string(static_cast<std::size_t>(
                                             std::max(1.0, std::round(width * (time / longest)))),
                                         '#')));
  return text;
}

std::string responses_text(double count) { return counted(std::llround(count), "response"); }

std::string rl_rollout_text(const RlRequest& request, const RlSplit& split) {
  const RolloutTimes& rollout = split.step.rollout;
  std::string text = fmt::format(
      "{} of {:g} tokens, the longest {:.0f}, to prompts of {:g}, on {}; {:.0f} at once in each",
      responses_text(request.rl.responses()), request.rl.response_tokens, rollout.longest,
      request.rl.prompt_tokens(), engines_words(split), rollout.held);
  constexpr double more_than_one = 1.05;  // as it is printed
  if (rollout.waves >= more_than_one) text += fmt::format(", {:.1f} waves", rollout.waves);
  if (rollout.tail > 0.01 * rollout.decode)
    text += fmt::format("; the last tenth of them takes {}", time_words(rollout.tail));
  return note("rollout", text);
}

std::string rl_limit_text(const RlStep& step) {
  std::string text(limit_of(step));
  if (step.placement.takes_turns()) {
    text = fmt::format(
        "{}: the rollout is {:.0f} % of the step",
        step.placement.is_colocated ? "both sides take turns" : "each side waits for the other",
        100 * (step.generation() / step.period()));
    if (step.rollout.busy < step.generation())
      text += fmt::format("; if every engine stayed full, it would take {}",
                          time_words(step.rollout.busy));
  }
  if (const Seconds wait = step.generators_wait(); wait > 0.05 * step.period())
    text += fmt::format("; engines have nothing to generate for {} of each step", time_words(wait));
  if (const Seconds wait = step.trainers_wait(); wait > 0.05 * step.period())
    text += fmt::format("; trainers wait {} of each step", time_words(wait));
  return note("limit", text);
}

std::string rl_better_text(const RlRequest& request, const RlPoint& point) {
  const RlStep& step = point.split->step;
  const auto words = [&](const std::string& options, const RlSplit& split) {
    return fmt::format("{}: {} a step, {:.2f} x as fast", options, time_words(split.step.period()),
                       step.period() / split.step.period());
  };
  std::string text;
  if (point.shared) {
    std::vector<std::string> stated;
    if (step.placement.steps_off > 0) stated.emplace_back("--steps-off");
    if (request.rl.generators) stated.emplace_back("--generators");
    text += note("try", words(fmt::format("no {}, so that all {} generate, then train",
                                          fmt::join(stated, " and "), point.accelerators),
                              *point.shared));
  }
  if (const auto& better = point.better)
    text += note(text.empty() ? "try" : "",
                 words(fmt::format("--steps-off {} --generators {}",
                                   better->step.placement.steps_off, better->generators),
                       *better));
  return text;
}

}  // namespace

std::string rl_step_text(const RlRequest& request, const RlPoint& point) {
  const RlSplit& split = *point.split;
  return '\n' + rl_parts_text(split.step) + '\n' + rl_rollout_text(request, split) +
         note("training", fmt::format("{} of {}: {}", counted(request.rl.updates, "update"),
                                      responses_text(request.rl.responses_of_update()),
                                      plan_words(split.plan))) +
         rl_limit_text(split.step) + rl_better_text(request, point);
}

}  // namespace report
}  // namespace tofn
