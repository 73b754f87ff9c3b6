#include "sim/answers/step_check_answer.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "sim/answers/step_answer.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/simulation/stack_uncertainty.hpp"

namespace tofn {
inline namespace answers {
namespace {

void check_ran(const StepCheckAnswer& answer) {
  const SimulatedStep& step = answer.predicted;
  const std::string job =
      fmt::format("{} samples of {} on {} {} in {} ({})", step.plan.global_batch(), step.model.name,
                  step.plan.accelerators(), step.cluster.name,
                  to_text(*answer.request.ran.measured, 4), plan_words(step.plan));
  if (answer.utilisation > 1)
    throw InputError(
        fmt::format("{} would be {:.4g} % of the peak (MFU): another model, batch, "
                    "number of accelerators or precision ran",
                    job, 100 * answer.utilisation));
  constexpr double room = 1.15;  // memory predictions are within this factor
  const std::size_t tightest = step.tightest();
  const double used = step.memory[tightest].total() / step.holder(tightest).memory.value;
  if (used <= room) return;
  const auto way_out = nearest_plan_that_fits(step);
  throw InputError(fmt::format(
      "{} cannot have run: it needs {:.1f} GB of {:.1f}; state the plan that ran{}", job,
      step.memory[tightest].total().base() / 1e9, step.holder(tightest).memory.value.base() / 1e9,
      way_out ? fmt::format(" (the nearest that fits: {})", plan_words(way_out->plan)) : ""));
}

/// MFU of the job with as many tokens per accelerator as the published step, in whole
/// micro-batches.
std::optional<double> utilisation_at(const StepCase& ran, const KernelProfile& stack,
                                     double tokens_each) {
  StepCase other = ran;
  const double samples = tokens_each * ran.plan.accelerators() / ran.model.sequence_length;
  const double passes = samples / (ran.plan.micro_batch * ran.plan.data_parallel_size);
  other.plan.gradient_accumulation = std::max(1, static_cast<int>(std::lround(passes)));
  if (passes < 1) other.plan.micro_batch *= passes;
  try {
    return utilisation_of(other, closed_step(other, stack));
  } catch (const InputError&) {  // the pipeline cannot run this batch
    return {};
  }
}

bool is_transformer(const Model& model) {
  return std::ranges::any_of(model.parts, [](const auto& part) {
    return std::holds_alternative<TransformerLayers>(part.shape);
  });
}

std::vector<std::string> notes_on(const StepCheckAnswer& answer) {
  std::vector<std::string> notes = answer.predicted.substitutions;
  if (!is_transformer(answer.predicted.model))
    notes.emplace_back("published steps are of language models: none is of this kind");
  constexpr double scattered = 0.05;
  if (answer.request.spread > scattered)
    notes.push_back(fmt::format(
        "steps scatter by {:.0f} %: late data, evaluations between them, or ranks that come and go",
        100 * answer.request.spread));
  const MeasuredShares& shares = answer.request.links;
  for (const auto& [links, share] :
       {std::pair{"between nodes", shares.network}, std::pair{"inside nodes", shares.scale_up}})
    if (share)
      notes.push_back(fmt::format(
          "collectives {} were measured: {}", links,
          *share < healthy_share
              ? fmt::format("large messages reach {:.0f} % of the expected bandwidth", 100 * *share)
              : "large messages reach the expected bandwidth"));
  constexpr double noticeable = 0.05;
  if (answer.request.own_drift > noticeable)
    notes.push_back(fmt::format("the newest steps take {:.0f} % longer than the log's first: {}",
                                100 * answer.request.own_drift, answer.request.drift_cause));
  if (answer.request.outside > 2 * noticeable)
    notes.push_back(fmt::format(
        "{:.0f} % of the clock's time lies between steps: evaluations, checkpoints, data",
        100 * answer.request.outside));
  constexpr int few = 5;
  if (answer.request.steps < few)
    notes.push_back(
        fmt::format("the log has {}: more would tell a lasting cause from a passing one",
                    counted(answer.request.steps, "steady step")));
  return notes;
}

StepVerdict verdict_of(const StepCheckAnswer& answer) {
  const Seconds measured = *answer.request.ran.measured;
  if (measured > answer.longest_typical()) return StepVerdict::Slow;
  return measured < answer.shortest_typical() ? StepVerdict::Fast : StepVerdict::Normal;
}

}  // namespace

Seconds StepCheckAnswer::longest_typical() const {
  return std::max(similar.ratios().high * predicted.times.total, Seconds{predicted.seconds.high});
}

Seconds StepCheckAnswer::shortest_typical() const {
  return std::min(similar.ratios().low * predicted.times.total, Seconds{predicted.seconds.low});
}

std::vector<const FittingCause*> StepCheckAnswer::reported_apart_by_nothing() const {
  constexpr double times = 10;  // likelier by this factor is strong evidence (Jeffreys)
  std::vector<const FittingCause*> alike;
  for (const FittingCause& each : causes)
    if (each.cause != nullptr && times * each.probability > causes.front().probability)
      alike.push_back(&each);
  return alike;
}

StepCheckAnswer step_check(const StepCheckQuestion& request, const std::filesystem::path& configs) {
  const StepCase& ran = request.ran;
  StepCheckAnswer answer{
      .request = request,
      .predicted = simulate_step(ran.model, ran.plan, ran.cluster, request.stack),
      .similar = {}};
  const Seconds predicted = answer.predicted.times.total;
  answer.utilisation = utilisation_of(ran, *ran.measured);
  answer.predicted_utilisation = utilisation_of(ran, predicted);
  answer.ratio = *ran.measured / predicted;
  check_ran(answer);
  answer.similar = similar_steps(ran, request.stack, configs);
  answer.share_faster = answer.similar.share_faster_than(answer.ratio);
  if (answer.similar.nearest)
    answer.utilisation_at_its_batch =
        utilisation_at(ran, request.stack, answer.similar.nearest->tokens_each);
  answer.verdict = verdict_of(answer);
  constexpr double reported_excess = 1.05;
  const Interval& seconds = answer.predicted.seconds;
  const double deviation = std::log(seconds.high / seconds.low) / 2 / ninety_percent_deviations;
  const bool came_later = 2 * std::log1p(request.own_drift) > std::log(answer.ratio);
  if (answer.ratio > reported_excess || answer.verdict == StepVerdict::Slow)
    answer.causes = fitting_causes({ran, request.stack},
                                   {.factor = answer.ratio,
                                    .deviation = deviation,
                                    .came_later = came_later,
                                    .links = request.links},
                                   request.stated);
  answer.notes = notes_on(answer);
  return answer;
}

}  // namespace answers
}  // namespace tofn
