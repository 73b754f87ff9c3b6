#include "sim/report/step_check_report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/name_table.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/run_screen.hpp"
#include "sim/report/table_columns.hpp"
#include "sim/simulation/stack_defaults.hpp"

namespace tofn {
inline namespace report {
namespace {

/// A cause, with the answer that it belongs to.
struct CheckedCause {
  const StepCheckAnswer& answer;
  const FittingCause* cause = nullptr;  ///< nullptr: the step is not longer than predicted
};

std::string cause_name(const CheckedCause& row) {
  return row.cause->cause == nullptr ? "none: the prediction is off"
                                     : std::string(row.cause->cause->name);
}

/// Severity such as `at 43 % of its bandwidth`; `-` for a cause without degrees.
std::string amount_text(const CheckedCause& row) {
  return row.cause->amount.empty() ? "-" : row.cause->amount;
}

std::string cause_sentence(const CheckedCause& row) {
  if (row.cause->cause == nullptr) return "such jobs differ by as much from their prediction";
  return std::string(row.cause->cause->sentence);
}

/// Iteration from which the log's checked steps begin; step_before has the time of the steps
/// before.
std::optional<double> turned_at(const StepCheckAnswer& answer) {
  const auto& regimes = answer.request.regimes;
  return regimes.empty() ? std::nullopt : regimes.back().from;
}
std::optional<double> step_before(const StepCheckAnswer& answer) {
  const auto& regimes = answer.request.regimes;
  if (regimes.size() < 2) return {};
  return regimes[regimes.size() - 2].step.base();
}

TableColumns<CheckedCause> cause_columns() {
  using Row = CheckedCause;
  const auto of_answer = [](auto figure) {
    return [figure](const Row& row) { return figure(row.answer); };
  };
  const auto of_cause = [](auto figure) {
    return [figure](const Row& row) -> std::optional<decltype(figure(row))> {
      if (row.cause == nullptr) return {};
      return figure(row);
    };
  };
  using A = StepCheckAnswer;
  return {
      {"verdict",
       of_answer([](const A& a) { return std::string(name_in(step_verdicts, a.verdict)); })},
      {"measured_s", of_answer([](const A& a) { return a.request.ran.measured->base(); })},
      {"predicted_s", of_answer([](const A& a) { return a.predicted.times.total.base(); })},
      {"low_s", of_answer([](const A& a) { return a.predicted.seconds.low; }),
       "lower end of the 90 % interval, in seconds"},
      {"high_s", of_answer([](const A& a) { return a.predicted.seconds.high; }),
       "upper end of the 90 % interval, in seconds"},
      {"turned_at_iteration", of_answer(turned_at),
       "iteration from which the checked steps took another time than those before"},
      {"step_before_s", of_answer(step_before), "time of a step before that iteration, in seconds"},
      {"measured_over_predicted", of_answer([](const A& a) { return a.ratio; }),
       "measured step over the predicted one"},
      {"mfu", of_answer([](const A& a) { return a.utilisation; })},
      {"predicted_mfu", of_answer([](const A& a) { return a.predicted_utilisation; }),
       "MFU of the predicted step"},
      {"similar", of_answer([](const A& a) { return a.similar.likeness; })},
      {"similar_steps",
       of_answer([](const A& a) { return static_cast<long long>(a.similar.steps.size()); }),
       "published steps of similar jobs"},
      {"similar_from", of_answer([](const A& a) { return a.similar.ratios().low; }),
       "least measured over predicted among similar steps"},
      {"similar_to", of_answer([](const A& a) { return a.similar.ratios().high; }),
       "greatest measured over predicted among similar steps"},
      {"similar_mfu_from", of_answer([](const A& a) { return a.similar.utilisations().low; }),
       "least MFU among similar steps"},
      {"similar_mfu_to", of_answer([](const A& a) { return a.similar.utilisations().high; }),
       "greatest MFU among similar steps"},
      {"share_faster", of_answer([](const A& a) { return a.share_faster; }),
       "share of similar steps that are faster, relative to their predictions"},
      {"cause", of_cause(cause_name), left("cause that fits")},
      {"group",
       [](const Row& row) -> std::optional<std::string> {
         if (row.cause == nullptr || row.cause->cause == nullptr) return {};
         return std::string(name_in(slow_step_groups, row.cause->cause->group));
       },
       left("of"), "ranks that the cause acts on"},
      {"step_factor", of_cause([](const Row& row) { return row.cause->factor; }),
       right("step x", "{:.2f}"), "factor by which the cause makes the step longer"},
      {"probability", of_cause([](const Row& row) { return row.cause->probability; }),
       right("% likely", whole_percent), "probability of the cause"},
      {"amount", of_cause([](const Row& row) { return row.cause->amount; }),
       left("by that", amount_text), "degree of the cause that gives the measured step"},
      {"words", of_cause(cause_sentence), "description of the cause"},
      {"tells",
       [](const Row& row) -> std::optional<std::string> {
         if (row.cause == nullptr || row.cause->cause == nullptr) return {};
         return std::string(row.cause->cause->tells);
       },
       "test that would tell the cause from others"}};
}

std::vector<CheckedCause> rows_of(const StepCheckAnswer& answer) {
  std::vector<CheckedCause> rows;
  for (const FittingCause& each : answer.causes) rows.push_back({answer, &each});
  return rows;
}

/// Range of the steps that are normal: `0.98 to 1.15 s`.
std::string range_of_normal(const StepCheckAnswer& answer) {
  return time_range_words({answer.shortest_typical().base(), answer.longest_typical().base()},
                          answer.longest_typical());
}

std::string headline(const StepCheckAnswer& answer) {
  const StepCase& ran = answer.request.ran;
  const std::string range = range_of_normal(answer);
  return fmt::format("{} on {} x {} ({}): {}{} a step; normal is {}{}\n\n", ran.model.name,
                     answer.predicted.plan.accelerators(), ran.cluster.accelerator.name,
                     ran.cluster.name, answer.verdict == StepVerdict::Slow ? "SLOW, " : "normal, ",
                     time_words(*ran.measured), range,
                     answer.verdict == StepVerdict::Fast
                         ? ": faster, so is the batch, the model or the precision another?"
                         : "");
}

/// Words such as `median of 44, spread 0.8 %`.
std::string sample_words(const StepCheckQuestion& question) {
  if (!question.is_one_figure)
    return fmt::format("median of {}, spread {:.1f} %", question.steps, 100 * question.spread);
  return question.steps > 1 ? fmt::format("mean of {} steps", question.steps) : "one figure";
}

std::string figures_text(const StepCheckAnswer& answer) {
  const StepCase& ran = answer.request.ran;
  const SimulatedStep& predicted = answer.predicted;
  return fact_line("measured", time_words(*ran.measured), sample_words(answer.request),
                   fmt::format("MFU {:.1f} %", 100 * answer.utilisation)) +
         fact_line("predicted", time_words(predicted.times.total),
                   time_range_words(predicted.seconds, predicted.times.total),
                   fmt::format("MFU {:.1f} %", 100 * answer.predicted_utilisation));
}

/// Words such as `42 % of similar jobs`; no share is printed as 0 or 100 %.
std::string share_words(double share) {
  if (share < 0.005) return "no similar jobs";
  if (share >= 0.995) return "all similar jobs";
  return fmt::format("{:.0f} % of similar jobs", 100 * share);
}

std::string similar_text(const StepCheckAnswer& answer) {
  const SimilarSteps& similar = answer.similar;
  const Interval mfu = similar.utilisations();
  const Interval ratios = similar.ratios();
  return note("similar", fmt::format("{} published steps {}: {:.2f} to {:.2f} x their prediction, "
                                     "MFU {:.0f} to {:.0f} %",
                                     similar.steps.size(), similar.likeness, ratios.low,
                                     ratios.high, 100 * mfu.low, 100 * mfu.high)) +
         note("normal", range_of_normal(answer) +
                            ": where the prediction's range and that of similar jobs reach") +
         note("this job", fmt::format("{:.2f} x its prediction; {} do better", answer.ratio,
                                      share_words(answer.share_faster)));
}

/// Line from the published utilisation to the measured one: the difference predicted for this job,
/// and the rest.
std::string nearest_text(const StepCheckAnswer& answer) {
  const auto& nearest = answer.similar.nearest;
  if (!nearest) return {};
  std::string text = fmt::format("{:.1f} % there; {:.1f} % is predicted of this job",
                                 100 * nearest->utilisation, 100 * answer.predicted_utilisation);
  if (answer.utilisation_at_its_batch)
    text += fmt::format(" ({:.1f} % with its {:.0f} tokens an accelerator)",
                        100 * *answer.utilisation_at_its_batch, nearest->tokens_each);
  return note("nearest job",
              fmt::format("{} on {} {} by {} in {}: MFU {:.1f} %, {:.2f} x its prediction ({})",
                          nearest->model, nearest->accelerators, nearest->accelerator,
                          nearest->stack, to_text(nearest->precision), 100 * nearest->utilisation,
                          nearest->ratio(), nearest->source)) +
         note("MFU", text + fmt::format("; {:.1f} % was measured", 100 * answer.utilisation)) +
         note("ranges",
              "of published steps that predictions were fitted to: a new job differs by "
              "more");
}

/// Lines with the sentence of each cause.
std::string sentences_text(const StepCheckAnswer& answer) {
  std::string text;
  for (const CheckedCause& row : rows_of(answer))
    text += note("cause", fmt::format("{}: {}", cause_name(row), cause_sentence(row)));
  return text;
}

/// Text of the causes that the step time alone does not distinguish, and of what would settle them.
std::string open_text(const StepCheckAnswer& answer) {
  const auto alike = answer.reported_apart_by_nothing();
  if (alike.empty()) return {};
  std::vector<std::string_view> names;
  std::vector<std::string_view> tells;
  const bool has_collectives = answer.request.links.any();
  for (const FittingCause* each : alike) {
    names.push_back(each->cause->name);
    if (has_collectives && each->cause->tells.starts_with("`--collectives`")) continue;
    if (std::ranges::find(tells, each->cause->tells) == tells.end())
      tells.push_back(each->cause->tells);
  }
  return (alike.size() > 1 ? note("undecided", fmt::format("the time of a step alone does not tell "
                                                           "apart {}",
                                                           fmt::join(names, ", ")))
                           : std::string()) +
         (tells.empty() ? std::string()
                        : note("test next", fmt::format("{}", fmt::join(tells, "; "))));
}

}  // namespace

AnswerText step_check_text(const StepCheckAnswer& answer) {
  const Plan plan = plan_that_runs(answer.predicted);
  AnswerText text;
  text.screen = headline(answer) + figures_text(answer);
  if (!answer.request.regimes.empty())
    text.screen += note("steps turned", fmt::format("{}: the last is checked",
                                                    regimes_text(answer.request.regimes)));
  text.screen += similar_text(answer) +
                 note("plan", fmt::format("batch {:g}, {}; stack {}", plan.global_batch(),
                                          plan_words(plan), answer.request.stack.name));
  if (!answer.causes.empty())
    text.screen += '\n' + table_text(cause_columns(), rows_of(answer)) + '\n' + open_text(answer);
  for (const std::string& each : answer.notes) text.screen += note("note", each);
  text.details = nearest_text(answer) + sentences_text(answer);
  return text;
}

std::vector<ColumnWords> step_check_words() { return words_of(cause_columns()); }

ExplainedRecords step_check_records(const StepCheckAnswer& answer) {
  std::vector<CheckedCause> rows = rows_of(answer);
  if (rows.empty()) rows.push_back({answer, nullptr});
  return records_of(cause_columns(), rows);
}

}  // namespace report
}  // namespace tofn
