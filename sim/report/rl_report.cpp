#include "sim/report/rl_report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
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

std::string rl_assumed_text(const RlRequest& request, const RlPoint& point,
                            const std::string& before) {
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

/// Options to try next that are not stated; a run's file states those of its job.
std::vector<std::string> rl_next(const RlRequest& request) {
  std::vector<std::string> next;
  const auto add = [&](const char* option, bool is_stated) {
    if (!is_stated) next.emplace_back(option);
  };
  const bool is_of_file = !request.name.empty();
  add("--steps-off 1", is_of_file || request.rl.steps_off);
  add("--generators G", is_of_file || request.rl.generators);
  add("--engine-tp R", is_of_file || request.rl.engine_ranks);
  add("--rl-steps S", is_of_file || request.rl.steps);
  add("--price P", request.is_one_step() || request.expenses.price);
  add("--details", false);
  return next;
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
  text += rl_step_text(request, point) +
          rl_assumed_text(request, point, substitutions_text(point.substitutions)) +
          rl_ranges_text(request);
  return text + listed_note("next", rl_next(request));
}

/// Lines on the inputs of a run's cost and energy, of all sizes; empty for a step.
std::string rl_expense_text(const RlRequest& request, const RlAnswer& answer) {
  if (request.is_one_step()) return {};
  const Expense* last = nullptr;
  std::vector<std::string> assumed;
  for (const RlPoint& point : answer.points) {
    if (!point.split) continue;
    last = &point.estimate->expense;
    add_new(assumed, last->assumed);
  }
  return '\n' + price_text(*last, request.cluster, request.expenses) +
         assumed_of_run_text(assumed, request.start_up, request.grid_intensity);
}

/// Lines on what was substituted at any size.
std::string rl_substitutions_text(const RlAnswer& answer) {
  std::vector<std::string> all;
  for (const RlPoint& point : answer.points) add_new(all, point.substitutions);
  return substitutions_text(all);
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
  AnswerText text{.screen = {},
                  .details = rl_details_table(request, lines) + rl_expense_text(request, answer)};
  text.screen =
      lines.size() == 1
          ? rl_point_text(request, *answered)
          : fmt::format("{} on {}, {}\n\n", request.title(), request.cluster.name,
                        rl_job_words(request.rl)) +
                rl_screen_table(request, lines) + rl_sizes_text(answer) +
                chances_text(request.limits, {answer.points.begin(), answer.points.end()}) + '\n' +
                rl_assumed_text(request, *answered, rl_substitutions_text(answer)) +
                rl_ranges_text(request);
  return text;
}

ExplainedRecords rl_records(const RlRequest& request, const RlAnswer& answer) {
  return with_run_figures(rl_columns(), rl_lines(request, answer));
}

}  // namespace report
}  // namespace tofn
