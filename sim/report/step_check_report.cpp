#include "sim/report/step_check_report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/name_table.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {
namespace {

/// A cause and the answer that it is of.
struct CheckedCause {
  const StepCheckAnswer& answer;
  const FittingCause* cause = nullptr;  ///< null: the step is not longer than predicted
};

std::string cause_name(const CheckedCause& row) {
  return row.cause->cause == nullptr ? "none: the prediction is off"
                                     : std::string(row.cause->cause->name);
}

/// `at 43 % of its bandwidth`; `-` of what is there or not.
std::string amount_text(const CheckedCause& row) {
  return row.cause->amount.empty() ? "-" : row.cause->amount;
}

std::string cause_words(const CheckedCause& row) {
  if (row.cause->cause == nullptr) return "such jobs differ by as much from their prediction";
  return std::string(row.cause->cause->sentence);
}

/// Where a log's steps turned to those that are checked, and what they took before.
std::optional<double> turned_at(const StepCheckAnswer& answer) {
  const auto& regimes = answer.asked.regimes;
  return regimes.empty() ? std::nullopt : regimes.back().from;
}
std::optional<double> step_before(const StepCheckAnswer& answer) {
  const auto& regimes = answer.asked.regimes;
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
  return {{"verdict",
           of_answer([](const A& a) { return std::string(name_in(step_verdicts, a.verdict)); })},
          {"measured_s", of_answer([](const A& a) { return a.asked.ran.measured->base(); })},
          {"predicted_s", of_answer([](const A& a) { return a.predicted.times.total.base(); })},
          {"low_s", of_answer([](const A& a) { return a.predicted.seconds.low; })},
          {"high_s", of_answer([](const A& a) { return a.predicted.seconds.high; })},
          {"turned_at_iteration", of_answer(turned_at)},
          {"step_before_s", of_answer(step_before)},
          {"measured_over_predicted", of_answer([](const A& a) { return a.ratio; })},
          {"mfu", of_answer([](const A& a) { return a.utilisation; })},
          {"predicted_mfu", of_answer([](const A& a) { return a.predicted_utilisation; })},
          {"similar", of_answer([](const A& a) { return a.similar.likeness; })},
          {"similar_steps",
           of_answer([](const A& a) { return static_cast<long long>(a.similar.steps.size()); })},
          {"similar_from", of_answer([](const A& a) { return a.similar.ratios().low; })},
          {"similar_to", of_answer([](const A& a) { return a.similar.ratios().high; })},
          {"similar_mfu_from", of_answer([](const A& a) { return a.similar.utilisations().low; })},
          {"similar_mfu_to", of_answer([](const A& a) { return a.similar.utilisations().high; })},
          {"share_faster", of_answer([](const A& a) { return a.share_faster; })},
          {"cause", of_cause(cause_name), left("cause that fits")},
          {"group",
           [](const Row& row) -> std::optional<std::string> {
             if (row.cause == nullptr || row.cause->cause == nullptr) return {};
             return std::string(name_in(slow_step_groups, row.cause->cause->group));
           },
           left("of")},
          {"step_factor", of_cause([](const Row& row) { return row.cause->factor; }),
           right("step x", "{:.2f}")},
          {"probability", of_cause([](const Row& row) { return row.cause->probability; }),
           right("% likely", [](double share) { return fmt::format("{:.0f}", 100 * share); })},
          {"amount", of_cause([](const Row& row) { return row.cause->amount; }),
           left("by that", amount_text)},
          {"words", of_cause(cause_words)},
          {"tells", [](const Row& row) -> std::optional<std::string> {
             if (row.cause == nullptr || row.cause->cause == nullptr) return {};
             return std::string(row.cause->cause->tells);
           }}};
}

std::vector<CheckedCause> rows_of(const StepCheckAnswer& answer) {
  std::vector<CheckedCause> rows;
  for (const FittingCause& each : answer.causes) rows.push_back({answer, &each});
  return rows;
}

std::string similar_text(const StepCheckAnswer& answer) {
  const SimilarSteps& similar = answer.similar;
  const Interval mfu = similar.utilisations();
  const Interval ratios = similar.ratios();
  return fmt::format(
      "similar jobs  {} published steps {}\n"
      "              reach {:.2f} to {:.2f} x their prediction, {:.1f} to {:.1f} % MFU (9 in 10)\n"
      "this one      {:.2f} x: {:.0f} % of them are faster beside their prediction\n"
      "              (predictions learnt from them: a new job differs by more, see its range)\n",
      similar.steps.size(), similar.likeness, ratios.low, ratios.high, 100 * mfu.low,
      100 * mfu.high, answer.ratio, 100 * answer.share_faster);
}

/// From the published number to the measured one: what the job itself makes, and what is left.
std::string nearest_text(const StepCheckAnswer& answer) {
  const auto& nearest = answer.similar.nearest;
  if (!nearest) return {};
  std::string text = fmt::format(
      "nearest       {} on {} {} by {} in {}: {:.1f} % MFU, {:.2f} x its prediction\n"
      "              {}\n"
      "MFU           {:.1f} % there; {:.1f} % is predicted of this job",
      nearest->model, nearest->accelerators, nearest->accelerator, nearest->stack,
      to_text(nearest->precision), 100 * nearest->utilisation, nearest->ratio(), nearest->source,
      100 * nearest->utilisation, 100 * answer.predicted_utilisation);
  if (answer.utilisation_at_its_batch)
    text += fmt::format(" ({:.1f} % with its {:.0f} tokens an accelerator)",
                        100 * *answer.utilisation_at_its_batch, nearest->tokens_each);
  return text + fmt::format("; {:.1f} % was measured\n", 100 * answer.utilisation);
}

std::string verdict_text(const StepCheckAnswer& answer) {
  const std::string range = fmt::format("{} to {}", to_text(answer.shortest_usual(), 4),
                                        to_text(answer.longest_usual(), 4));
  switch (answer.verdict) {
    case StepVerdict::Slow:
      return note("verdict", fmt::format("slow: below what similar jobs reach ({})", range));
    case StepVerdict::Fast:
      return note("verdict", fmt::format("normal, and faster than similar jobs ({}): is the batch, "
                                         "the model or the precision another?",
                                         range));
    case StepVerdict::Normal:
      break;
  }
  return note("verdict", fmt::format("normal: what similar jobs reach ({})", range));
}

/// What the causes are, a line each.
std::string sentences_text(const StepCheckAnswer& answer) {
  std::string text;
  for (const CheckedCause& row : rows_of(answer))
    text += fmt::format("  {}: {}\n", cause_name(row), cause_words(row));
  return text;
}

/// What the step's time alone leaves open, and what would settle it.
std::string open_text(const StepCheckAnswer& answer) {
  const auto alike = answer.told_apart_by_nothing();
  if (alike.empty()) return {};
  std::vector<std::string_view> names;
  std::vector<std::string_view> tells;
  for (const FittingCause* each : alike) {
    names.push_back(each->cause->name);
    if (std::find(tells.begin(), tells.end(), each->cause->tells) == tells.end())
      tells.push_back(each->cause->tells);
  }
  return (alike.size() > 1 ? fmt::format("The time of a step alone does not tell apart: {}.\n",
                                         fmt::join(names, ", "))
                           : std::string()) +
         fmt::format("What would tell: {}.\n", fmt::join(tells, "; "));
}

}  // namespace

std::string step_check_text(const StepCheckAnswer& answer) {
  const StepCase& ran = answer.asked.ran;
  const Plan& plan = answer.predicted.plan;
  std::string text = fmt::format(
      "{} on {} {}, batch {:g}, {} by {}\n"
      "measured      {} a step (median of {}, spread {:.1f} %), {:.1f} % MFU\n"
      "predicted     {}, 90 % {} to {}, {:.1f} % MFU\n",
      ran.model.name, plan.accelerators(), ran.cluster.name, plan.global_batch(), plan_words(plan),
      answer.asked.stack.name, to_text(*ran.measured, 4), answer.asked.steps,
      100 * answer.asked.spread, 100 * answer.utilisation, to_text(answer.predicted.times.total, 4),
      to_text(Seconds{answer.predicted.seconds.low}, 4),
      to_text(Seconds{answer.predicted.seconds.high}, 4), 100 * answer.predicted_utilisation);
  if (!answer.asked.regimes.empty())
    text += note("steps turned",
                 fmt::format("{}: the last is checked", regimes_text(answer.asked.regimes)));
  text += similar_text(answer) + nearest_text(answer) + verdict_text(answer);
  if (!answer.causes.empty())
    text +=
        table_text(cause_columns(), rows_of(answer)) + sentences_text(answer) + open_text(answer);
  for (const std::string& note : answer.notes) text += "note          " + note + '\n';
  return text;
}

Records step_check_records(const StepCheckAnswer& answer) {
  std::vector<CheckedCause> rows = rows_of(answer);
  if (rows.empty()) rows.push_back({answer, nullptr});
  return records_of(cause_columns(), rows);
}

}  // namespace report
}  // namespace tofn
