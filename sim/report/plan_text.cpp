#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/answers/overrun_words.hpp"
#include "sim/core/count_text.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/names.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/figure_columns.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/job_report.hpp"
#include "sim/report/limits_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/plan_report.hpp"
#include "sim/report/step_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

const RunFigure& figure_of(double RunFigures::*value) {
  return *std::find_if(run_figures.begin(), run_figures.end(),
                       [&](const RunFigure& figure) { return figure.value == value; });
}

/// As runs go with the overrun that limits are kept with.
std::string text_of(double RunFigures::*value, const RunCandidate& of) {
  const RunFigure& figure = figure_of(value);
  return figure_text(figure, *of.estimate().usual(figure)) + " " + std::string(figure.title);
}

std::string range_text(const RunCandidate& of) {
  return range_text(figure_of(&RunFigures::days), of.estimate());
}

const SimulatedStep& step_of(const RunCandidate& candidate) {
  return main_phase(*candidate.point.estimate->job).step;
}

/// `, spot` where there are several.
std::string term_text(const RunSearch& asked, const RunCandidate& candidate) {
  const auto& term = asked.offers[candidate.offer].expenses.term;
  const bool is_choice =
      std::any_of(asked.offers.begin(), asked.offers.end(),
                  [&](const Offer& offer) { return offer.expenses.term != term; });
  return is_choice && term ? fmt::format(", {}", name_in(price_terms, *term)) : std::string();
}

/// What tells one candidate from another.
std::string name_of(const RunSearch& asked, const RunCandidate& candidate) {
  const Cluster& cluster = asked.offers[candidate.offer].cluster;
  std::string text = fmt::format("{} x {} ({})", candidate.point.accelerators,
                                 cluster.accelerator.name, cluster.name);
  if (asked.runs.size() > 1) text += fmt::format(", {}", step_of(candidate).precisions().front());
  return text + term_text(asked, candidate);
}

std::string figures_text(const RunSearch& asked, const RunCandidate& candidate) {
  const RunEstimate& job = candidate.estimate();
  std::string text =
      fmt::format("{} ({})", text_of(&RunFigures::days, candidate), range_text(candidate));
  if (!job.overrun.is_none())
    text += fmt::format(", simulated {}",
                        figure_text(figure_of(&RunFigures::days), candidate.figures().days));
  if (job.expense.price) text += ", " + text_of(&RunFigures::usd, candidate);
  text += ", " + text_of(&RunFigures::kilowatt_hours, candidate);
  if (!asked.limits.empty())
    text += fmt::format("; keeps {} in {:.0f} % of draws", limits_text(asked.limits),
                        100 * candidate.chance);
  return text;
}

/// `12 % more`
std::string difference_text(const RunSearch& asked, const RunCandidate& other,
                            const RunCandidate& best) {
  const double ratio = asked.by.of(other.figures()) / asked.by.of(best.figures()) - 1;
  return fmt::format("{:.1f} % {} {}", 100 * std::abs(ratio), ratio < 0 ? "less" : "more",
                     asked.by.name);
}

std::string overrun_text(const RunSearch& asked) {
  return wrapped_words("draws         ",
                       "days, USD and kWh are the middle, brackets 90 % of " +
                           overrun_words(asked.overrun.with(asked.profile.has_own_steps())) +
                           (asked.limits.empty() ? "" : "; limits are kept in the same draws"));
}

std::string binding_text(const RunSearch& asked, const RunChoice& choice) {
  std::string text;
  for (const BindingLimit& each : choice.binding) {
    const RunCandidate& other = choice.candidates[each.best_without];
    std::string what = fmt::format("the {}: without it {}, {}", each.limit.name,
                                   name_of(asked, other), figures_text(asked, other));
    if (choice.best) what += ", " + difference_text(asked, other, choice.candidates[*choice.best]);
    text += wrapped_words("binds         ", what);
  }
  return text;
}

/// `+2.1 %`
std::string growth_text(double share) { return fmt::format("{:+.1f} %", 100 * share); }

/// The greatest factors, with the parts of a step that make accelerator-time.
std::string lost_by_text(const std::vector<LostBy>& lost) {
  constexpr std::size_t most_parts = 3;
  std::vector<std::string> factors;
  for (const LostBy& each : lost) {
    std::string text = fmt::format("{} {}", each.name, growth_text(each.ratio - 1));
    std::vector<std::string> parts;
    for (const auto& [part, growth] : each.parts)
      if (parts.size() < most_parts)
        parts.push_back(fmt::format("{} {}", step_part_titles[static_cast<std::size_t>(part)],
                                    growth_text(growth)));
    if (!parts.empty()) text += fmt::format(" ({})", fmt::join(parts, ", "));
    factors.push_back(text);
  }
  return fmt::format("{}", fmt::join(factors, "; "));
}

std::string runner_up_text(const RunSearch& asked, const RunChoice& choice) {
  if (!choice.best || !choice.runner_up) return {};
  const RunCandidate& other = choice.candidates[*choice.runner_up];
  constexpr double told_apart = 0.9;  // as surely as limits are kept where nobody says (assumed)
  std::string text = fmt::format("{}: {}, {}; the best is ahead in {:.0f} % of draws",
                                 name_of(asked, other), figures_text(asked, other),
                                 difference_text(asked, other, choice.candidates[*choice.best]),
                                 100 * choice.ahead);
  if (!choice.lost_by.empty()) text += "; it loses by " + lost_by_text(choice.lost_by);
  if (choice.ahead < told_apart)
    text += ": they cannot be told apart; a measured step of either would (--observed of predict)";
  return wrapped_words("runner-up     ", text);
}

/// What FP8 rests on, and what the other precision would be.
std::string precision_text(const RunSearch& asked, const RunChoice& choice,
                           const RunCandidate& shown) {
  if (shown.run == 0 && !choice.other_precision) return {};
  std::string text(step_of(shown).precisions().front());
  if (shown.run > 0) text += same_loss_words(step_of(shown));
  if (choice.best && choice.other_precision) {
    const RunCandidate& other = choice.candidates[*choice.other_precision];
    text += fmt::format("; in {} {}", step_of(other).precisions().front(),
                        difference_text(asked, other, shown));
  }
  return wrapped_words("precision     ", text);
}

std::string frontier_text(const RunSearch& asked, const RunChoice& choice) {
  std::vector<const RunCandidate*> frontier;
  for (const RunCandidate& each : choice.candidates)
    if (each.is_on_frontier) frontier.push_back(&each);
  if (frontier.size() < 2) return {};
  std::sort(frontier.begin(), frontier.end(),
            [](const auto* a, const auto* b) { return a->figures().days < b->figures().days; });
  const auto head = [&](double RunFigures::*value) {
    const RunFigure& figure = figure_of(value);
    return asked.overrun.is_none() ? std::string(figure.head) : head_as_runs_went(figure);
  };
  std::vector<TextTable::Column> columns{
      {"cluster", Align::Left},           {"N"},    {"batch"},
      {head(&RunFigures::days)},          {"90 %"}, {head(&RunFigures::usd)},
      {head(&RunFigures::kilowatt_hours)}};
  if (!asked.limits.empty()) columns.push_back({"kept %"});
  columns.push_back({"plan", Align::Left});
  TextTable table(columns);
  for (const RunCandidate* each : frontier) {
    const auto usual = [each](double RunFigures::*value) {
      return *each->estimate().usual(figure_of(value));
    };
    std::vector<std::string> cells{
        asked.offers[each->offer].cluster.name + term_text(asked, *each),
        fmt::format("{}", each->point.accelerators),
        count_text(step_of(*each).plan.global_batch(), 4),
        figure_text(figure_of(&RunFigures::days), usual(&RunFigures::days)),
        range_text(*each),
        count_text(usual(&RunFigures::usd), 4),
        count_text(usual(&RunFigures::kilowatt_hours), 4)};
    if (!asked.limits.empty()) cells.push_back(fmt::format("{:.0f}", 100 * each->chance));
    cells.push_back(
        (asked.runs.size() > 1 ? std::string(step_of(*each).precisions().front()) + ", " : "") +
        plan_words(step_of(*each).plan));
    table.add(std::move(cells));
  }
  return "\ntime against cost, what no other beats in both\n" + table.render();
}

/// Where the run that is shown trains other samples than were asked for.
std::string trained_text(const RunFile& run, const RunEstimate& estimate) {
  if (estimate.expected.samples <= run.samples() * (1 + 1e-9)) return {};
  const bool counts_tokens = run.tokens() > 0;
  const auto words = [&](double tokens, double samples) {
    return counts_tokens ? count_text(tokens, 4) + " tokens" : count_text(samples, 4) + " samples";
  };
  return wrapped_words(
      "trains        ",
      fmt::format("{}, not the {} that were asked for: at its batch they reach the same loss",
                  words(estimate.expected.tokens, estimate.expected.samples),
                  words(run.tokens(), run.samples())));
}

std::string left_out_candidates(const RunChoice& choice) {
  constexpr std::size_t most = 3;
  if (choice.left_out.empty()) return {};
  std::string text;
  for (std::size_t i = 0; i < std::min(most, choice.left_out.size()); ++i)
    text += wrapped_words("left out      ", choice.left_out[i]);
  if (choice.left_out.size() > most)
    text += fmt::format("              and {} more\n", choice.left_out.size() - most);
  return text;
}

}  // namespace

std::string plan_question(const RunSearch& asked) {
  const RunFile& run = asked.runs.front();
  const std::string what = run.tokens() > 0 ? count_text(run.tokens(), 4) + " tokens"
                                            : count_text(run.samples(), 4) + " samples";
  std::string text = fmt::format("{}, {}: least {}", run.name, what, asked.by.name);
  if (!asked.limits.empty())
    text += fmt::format(" within {}, with {:.0f} % confidence", limits_text(asked.limits),
                        100 * asked.confidence);
  return text;
}

std::string plan_text(const RunSearch& asked, const RunChoice& choice, const std::string& again) {
  const RunCandidate& shown = choice.candidates[choice.best.value_or(choice.nearest)];
  const RunFile& run = asked.runs[shown.run];
  std::string text = plan_question(asked);
  int plans = 0;
  for (const RunCandidate& each : choice.candidates) plans += each.point.plans_tried;
  text +=
      fmt::format("; {} candidates of {} plans\n", choice.candidates.size(), count_text(plans, 4));
  if (choice.not_tried > 0)
    text += fmt::format("STOPPED: {} candidates or more were not tried. The best so far:\n",
                        choice.not_tried);
  text += trained_text(run, shown.estimate());
  text += choice.best ? "" : "NO PLAN KEEPS THAT. The nearest:\n";
  text += wrapped_words(choice.best ? "best          " : "nearest       ",
                        name_of(asked, shown) + ": " + figures_text(asked, shown));
  text += wrapped_words("plan          ", fmt::format("{}, {}", step_of(shown).precisions().front(),
                                                      plan_words(step_of(shown).plan)));
  for (const std::string& warning : shown.point.warnings)
    text += wrapped_words("WARNING       ", warning);
  text += precision_text(asked, choice, shown) + batch_text(run, *shown.point.estimate);
  text += wrapped_words("again         ", again);
  text += runner_up_text(asked, choice) + binding_text(asked, choice) + overrun_text(asked);
  const Offer& offer = asked.offers[shown.offer];
  text += expense_text({.run = run,
                        .cluster = offer.cluster,
                        .profile = asked.profile,
                        .sizes = {},
                        .expenses = offer.expenses,
                        .grid_intensity = asked.grid_intensity},
                       shown.estimate());
  text += substitutions_text(shown.point.substitutions) + left_out_candidates(choice);
  return text + frontier_text(asked, choice);
}

}  // namespace report
}  // namespace tofn
