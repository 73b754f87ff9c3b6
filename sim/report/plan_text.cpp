#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/answers/overrun_words.hpp"
#include "sim/core/count_text.hpp"
#include "sim/core/names.hpp"
#include "sim/core/words.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/figure_columns.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/limits_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/plan_candidates.hpp"
#include "sim/report/plan_report.hpp"
#include "sim/report/predict_report.hpp"
#include "sim/report/run_screen.hpp"
#include "sim/report/step_report.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace report {
namespace {

/// Name that distinguishes a candidate from the others.
std::string name_of(const RunSearch& requested, const RunCandidate& candidate) {
  const Cluster& cluster = requested.offers[candidate.offer].cluster;
  std::string text = fmt::format("{} x {} ({})", candidate.point.accelerators,
                                 cluster.accelerator.name, cluster.name);
  if (requested.runs.size() > 1)
    text += fmt::format(", {}", candidate_step(candidate).precisions().front());
  return text + price_term_text(requested, candidate);
}

/// Text such as `6.22 days expected, 235k USD; 98 % chance of at most 20 days`.
std::string figures_text(const RunSearch& requested, const RunCandidate& candidate) {
  const std::string chance = chance_words(candidate.point, requested.limits);
  return run_headline(candidate.point) + (chance.empty() ? "" : "; " + chance);
}

/// Text such as `12 % more cost`.
std::string difference_text(const RunSearch& requested, const RunCandidate& other,
                            const RunCandidate& best) {
  const double ratio = requested.by.of(other.figures()) / requested.by.of(best.figures()) - 1;
  return fmt::format("{:.1f} % {} {}", 100 * std::abs(ratio), ratio < 0 ? "less" : "more",
                     requested.by.name);
}

/// Lines on the limits that decide. If none is kept, a single one leads to the nearest candidate,
/// which the headline has.
std::string binding_text(const RunSearch& requested, const RunChoice& choice) {
  std::string text;
  for (const BindingLimit& each : choice.binding) {
    if (!choice.best && requested.limits.size() == 1 && each.best_without == choice.nearest)
      continue;
    const RunCandidate& other = choice.candidates[each.best_without];
    std::string what = fmt::format("the {}; without it {}: {}", each.limit.name,
                                   name_of(requested, other), figures_text(requested, other));
    if (choice.best)
      what += ", " + difference_text(requested, other, choice.candidates[*choice.best]);
    text += note("limited by", what);
  }
  return text;
}

/// Text such as `+2.1 %`.
std::string growth_text(double share) { return fmt::format("{:+.1f} %", 100 * share); }

/// Text of the greatest factors, with the parts of a step that increase accelerator-time.
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

std::string runner_up_text(const RunSearch& requested, const RunChoice& choice) {
  if (!choice.best || !choice.runner_up) return {};
  const RunCandidate& other = choice.candidates[*choice.runner_up];
  constexpr double reported_apart = 0.9;  // as sure as limits are kept by default (assumed)
  std::string text = fmt::format("{}: {}, {}; behind the best in {:.0f} % of draws",
                                 name_of(requested, other), figures_text(requested, other),
                                 difference_text(requested, other, choice.candidates[*choice.best]),
                                 100 * choice.ahead);
  if (choice.ahead < reported_apart) text += " (--next-measurement: what would make that surer)";
  return note("runner-up", text);
}

/// Line on a much shorter run that is hardly worse, for a search without limits; empty if there is
/// none.
std::string unlimited_text(const RunSearch& requested, const RunChoice& choice) {
  constexpr double hardly = 1.1;
  constexpr double much = 3;
  if (!requested.limits.empty() || !choice.best) return {};
  const RunCandidate& best = choice.candidates[*choice.best];
  const RunCandidate* shortest = nullptr;
  for (const RunCandidate& each : choice.candidates)
    if (requested.by.of(each.figures()) <= hardly * requested.by.of(best.figures()) &&
        (shortest == nullptr || each.figures().days < shortest->figures().days))
      shortest = &each;
  if (shortest == nullptr || best.figures().days < much * shortest->figures().days) return {};
  return note("no limit", fmt::format("{}: {}, {} (--deadline)", name_of(requested, *shortest),
                                      figures_text(requested, *shortest),
                                      difference_text(requested, *shortest, best)));
}

std::string runner_up_details(const RunChoice& choice) {
  if (choice.lost_by.empty()) return {};
  return note("runner-up", "loses by " + lost_by_text(choice.lost_by));
}

/// Line on a precision other than bf16, the assumption behind it, and the figures in another.
std::string precision_text(const RunSearch& requested, const RunChoice& choice,
                           const RunCandidate& shown) {
  std::string text(candidate_step(shown).precisions().front());
  if (text == to_text(Precision::Bf16) && shown.run == 0 && !choice.other_precision) return {};
  text += same_loss_words(candidate_step(shown));
  if (choice.best && choice.other_precision) {
    const RunCandidate& other = choice.candidates[*choice.other_precision];
    text += fmt::format("; in {} {}", candidate_step(other).precisions().front(),
                        difference_text(requested, other, shown));
  }
  return note("precision", text);
}

/// Line for a run that trains more than was requested; otherwise empty.
std::string trained_text(const StatedRun& run, const RunEstimate& estimate) {
  if (estimate.expected.samples <= run.samples() * (1 + 1e-9)) return {};
  return note("trains",
              fmt::format("{} rather than the {} requested, since its larger batch takes that many "
                          "to the same loss",
                          trained_words(estimate.expected.tokens, estimate.expected.samples),
                          trained_words(run.tokens(), run.samples())));
}

std::string left_out_candidates(const RunChoice& choice) {
  constexpr std::size_t most = 3;
  if (choice.left_out.empty()) return {};
  std::string text;
  for (std::size_t i = 0; i < std::min(most, choice.left_out.size()); ++i)
    text += note("left out", choice.left_out[i]);
  if (choice.left_out.size() > most)
    text += note("", fmt::format("and {} more", choice.left_out.size() - most));
  return text;
}

}  // namespace

std::string plan_question(const RunSearch& requested) {
  const StatedRun& run = requested.runs.front();
  std::string text = fmt::format("{}, {}: least {}", run.name,
                                 trained_words(run.tokens(), run.samples()), requested.by.name);
  if (!requested.limits.empty())
    text += fmt::format(" within {}, with {:.0f} % confidence", limits_text(requested.limits),
                        100 * requested.confidence);
  return text;
}

AnswerText plan_text(const RunSearch& requested, const RunChoice& choice,
                     const std::string& again) {
  constexpr std::size_t most_rows = 8;
  const RunCandidate& shown = choice.candidates[choice.best.value_or(choice.nearest)];
  const StatedRun& run = requested.runs[shown.run];
  const RunRequest request = request_of(requested, shown.run, shown.offer);
  const RunEstimate& estimate = *shown.point.estimate;
  int plans = 0;
  for (const RunCandidate& each : choice.candidates) plans += each.point.plans_tried;
  const std::vector<const RunCandidate*> all = notable_candidates(requested, choice);
  const std::vector<const RunCandidate*> few =
      thinned_candidates(requested, all, told_candidates(choice), most_rows);
  AnswerText text;
  text.screen = plan_question(requested) + "\n";
  text.screen += stopped_text(choice.not_tried);
  text.screen +=
      fmt::format("{}{}: {}\n\n", choice.best ? "" : none_keeps_text(choice.not_tried) + " ",
                  name_of(requested, shown), figures_text(requested, shown));
  text.screen += run_facts_text(shown.point, step_memory_words(*fullest_step(*estimate.run)));
  for (const std::string& warning : shown.point.warnings) text.screen += note("WARNING", warning);
  text.screen += '\n' +
                 note("plan", fmt::format("{}, {}; {}, {} plan{} tried",
                                          candidate_step(shown).precisions().front(),
                                          plan_words(plan_that_runs(candidate_step(shown))),
                                          counted(choice.candidates.size(), "candidate"),
                                          count_text(plans, 3), plans == 1 ? "" : "s")) +
                 precision_text(requested, choice, shown) + batch_text(run, estimate) +
                 trained_text(run, estimate) + runner_up_text(requested, choice) +
                 unlimited_text(requested, choice) + binding_text(requested, choice) +
                 left_out_candidates(choice) + assumed_text(request, shown.point) +
                 ranges_text(estimate) + note("repeat", again);
  if (few.size() > 1)
    text.screen += fmt::format("\nPareto front of time and cost{}\n",
                               few.size() < all.size() ? fmt::format(", {} of {} rows (--details)",
                                                                     few.size(), all.size())
                                                       : "") +
                   candidates_table(requested, few);
  text.details =
      runner_up_details(choice) +
      note("ranges", "are meant to hold 90 % of " +
                         overrun_words(requested.overrun.with(requested.profile.has_own_steps()))) +
      expense_text(request, shown.point);
  if (few.size() < all.size()) text.details += '\n' + candidates_table(requested, all);
  if (all.size() > 1) text.details += '\n' + candidate_plans_table(requested, all);
  return text;
}

}  // namespace report
}  // namespace tofn
