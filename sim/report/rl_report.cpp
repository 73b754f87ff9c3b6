#include "sim/report/rl_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/limits_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/predict_report.hpp"
#include "sim/report/rl_columns.hpp"
#include "sim/report/run_screen.hpp"
#include "sim/report/step_report.hpp"

namespace tofn {
inline namespace report {
namespace {

std::vector<RlLine> rl_lines(const RlRequest& request, const RlAnswer& answer) {
  std::vector<RlLine> lines;
  for (const RlPoint& point : answer.points) lines.push_back({&request, &point});
  return lines;
}

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

/// Words such as `5 engines of 3, which leave 1 accelerator idle`.
std::string engines_words(const RlSplit& split) {
  std::string text =
      fmt::format("{} of {}{}", counted(split.engines, "engine"), split.engine.ranks,
                  split.engine.shares_sequences() ? " with data-parallel attention" : "");
  if (split.idle() > 0)
    text += fmt::format(", which leave{} {} idle", split.engines == 1 ? "s" : "",
                        counted(split.idle(), "accelerator"));
  return text;
}

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

std::string rl_assumed_text(const RlRequest& request, const RlPoint& point,
                            const std::string& before = {}) {
  const RlJob& rl = request.rl;
  const Expense& expense = point.estimate->expense;
  std::vector<std::string> assumed;
  if (!rl.stated_spread)
    assumed.push_back(fmt::format("response lengths spread log-normally by {:g} (--length-spread)",
                                  rl.length_spread()));
  else if (rl.length_spread() > 0)
    assumed.emplace_back("response lengths that spread log-normally");
  if (!rl.stated_prompt_tokens)
    assumed.push_back(fmt::format("prompts of {:g} tokens (--prompt-length)", rl.prompt_tokens()));
  if (!rl.stated_engine_weights)
    assumed.push_back(
        fmt::format("engine weights in {} (--engine-precision)", to_text(rl.engine_weights())));
  if (!rl.stated_sequences)
    assumed.push_back(fmt::format(
        "engines that run at most {} sequences at once{} (--max-sequences)", rl.most_sequences(),
        point.split->engine.shares_sequences() ? " on each rank" : ""));
  assumed.insert(assumed.end(),
                 {"a reward and tools of an agent that take no time",
                  fmt::format("engines take {:g} of the memory beside training and {:g} alone",
                              memory_share_beside_training, memory_share_alone),
                  fmt::format("new weights that reach the engines in {:g} s + {:g} s for each "
                              "billion parameters on any network",
                              least_refit.base(), refit_for_billion.base()),
                  "figures of other models' RL steps (tofn validate rl)"});
  if (!request.is_one_step() && expense.price && !request.expenses.price)
    assumed.push_back(fmt::format("{} price (--price, --prices)", price_words(*expense.price)));
  return before + listed_note(before.empty() ? "assumed" : "", assumed) +
         (request.is_one_step() || expense.price
              ? ""
              : price_text(expense, request.cluster, request.expenses));
}

/// Line on what the ranges of a run hold.
std::string rl_ranges_text(const RlRequest& request) {
  if (request.is_one_step()) return {};
  return note("ranges", request.overrun.is_none()
                            ? "hold what steps and failures leave open (--overrun published)"
                            : "hold what steps and failures leave open, and what published runs of "
                              "pre-training lose besides: of RL no whole run is published");
}

/// Words such as `GRPO` or `100 steps of GRPO`.
std::string rl_job_words(const RlJob& job) {
  return job.steps ? counted(std::llround(*job.steps), "step") + " of GRPO" : "GRPO";
}

/// Advice where training does not fit and no plan on as many accelerators would.
std::string_view to_try(const RlSplit& split) {
  return split.step.placement.is_colocated ? "more of them (-N)"
                                           : "more of them (-N), or fewer --generators";
}

std::string rl_point_text(const RlRequest& request, const RlPoint& point) {
  const RlSplit& split = *point.split;
  const RlStep& step = split.step;
  const double speed = point.tokens_per_second_each(request);
  const std::string chance = chance_words(point, request.limits);
  std::string text =
      fmt::format("{} on {} x {} ({}), {}: {}{}{}\n\n", request.title(), point.accelerators,
                  request.cluster.accelerator.name, request.cluster.name, rl_job_words(request.rl),
                  point.too_large ? does_not_fit_words(*point.too_large) : "", run_headline(point),
                  chance.empty() ? "" : "; " + chance);
  if (!request.is_one_step()) text += run_facts_text(point, "");
  text += fact_line("step", time_words(step.period()),
                    time_range_words(point.seconds(), step.period()), placement_words_of(split));
  if (request.is_one_step()) {
    const Interval range = point.tokens_per_second_each();
    text += fact_line("speed", short_figure(speed) + " tokens/s",
                      fmt::format("{} to {}", short_figure(range.low), short_figure(range.high)),
                      "of each accelerator, in prompts and responses");
  }
  if (!point.fits) text += way_out_text(point.way_out, to_try(split));
  text += '\n' + rl_parts_text(step) + '\n' + rl_rollout_text(request, split);
  text += note("training", fmt::format("{} of {}: {}", counted(request.rl.updates, "update"),
                                       responses_text(request.rl.responses_of_update()),
                                       plan_words(split.plan)));
  text += rl_limit_text(step) + rl_better_text(request, point) +
          rl_assumed_text(request, point, substitutions_text(point.substitutions)) +
          rl_ranges_text(request);
  if (!request.name.empty()) return text + listed_note("next", {"--price P", "--details"});
  return text + listed_note("next", {"--steps-off 1", "--generators G", "--engine-tp R",
                                     "--rl-steps S", "--details"});
}

/// Lines on the inputs of a run's cost and energy; empty for a step.
std::string rl_expense_text(const RlRequest& request, const Expense& expense) {
  if (request.is_one_step()) return {};
  return '\n' + price_text(expense, request.cluster, request.expenses) +
         assumed_of_run_text(expense.assumed, request.start_up, request.grid_intensity);
}

/// Lines below a table: the mark of sizes that do not fit, idle accelerators, and sizes left out.
std::string rl_sizes_text(const RlAnswer& answer) {
  std::string text;
  if (!all_fit({answer.points.begin(), answer.points.end()}))
    text += "!: TRAINING DOES NOT FIT the memory of these accelerators\n";
  for (const RlPoint& point : answer.points)
    if (point.split && point.split->idle() > 0)
      text +=
          note("idle", fmt::format("N = {}: {}", point.accelerators, engines_words(*point.split)));
  for (const RlPoint& point : answer.points)
    if (!point.split)
      text +=
          note("left out", fmt::format("N = {}: {}", point.accelerators, point.skipped_because));
  return text;
}

std::string rl_screen_table(const RlRequest& request, const std::vector<RlLine>& lines) {
  if (request.is_one_step())
    return table_text(rl_columns(), lines,
                      {"cluster", "steps off", "chance %", "updates s", "logprobs s", "refit s",
                       "others s", "days", "USD", "kWh"});
  return table_text(rl_columns(), lines,
                    {"cluster", "steps off", "chance %", "updates s", "logprobs s", "refit s",
                     "others s", "rollout s", "limit"});
}

std::string rl_details_table(const RlRequest& request, const std::vector<RlLine>& lines) {
  return request.is_one_step()
             ? table_text(rl_columns(), lines,
                          {"cluster", "steps off", "chance %", "days", "USD", "kWh"})
             : table_text(rl_columns(), lines, {"cluster", "steps off", "chance %"});
}

}  // namespace

AnswerText rl_text(const RlRequest& request, const RlAnswer& answer) {
  const auto lines = rl_lines(request, answer);
  const auto answered = std::ranges::find_if(
      answer.points, [](const RlPoint& each) { return each.split.has_value(); });
  const Expense& expense = answered->estimate->expense;
  AnswerText text{.screen = {},
                  .details = rl_details_table(request, lines) + rl_expense_text(request, expense)};
  text.screen =
      lines.size() == 1
          ? rl_point_text(request, *answered)
          : fmt::format("{} on {}, {}\n\n", request.title(), request.cluster.name,
                        rl_job_words(request.rl)) +
                rl_screen_table(request, lines) + rl_sizes_text(answer) +
                chances_text(request.limits, {answer.points.begin(), answer.points.end()}) + '\n' +
                rl_assumed_text(request, *answered) + rl_ranges_text(request);
  return text;
}

ExplainedRecords rl_records(const RlRequest& request, const RlAnswer& answer) {
  return with_run_figures(rl_columns(), rl_lines(request, answer));
}

}  // namespace report
}  // namespace tofn
