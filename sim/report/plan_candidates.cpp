#include "sim/report/plan_candidates.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>

#include <fmt/format.h>

#include "sim/core/count_text.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/words.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/figure_columns.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/table_columns.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace report {
namespace {

/// Returns `most` of the candidates, spread evenly.
std::vector<const RunCandidate*> spread_over(const std::vector<const RunCandidate*>& all,
                                             std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<const RunCandidate*> kept;
  for (std::size_t i = 0; i < most; ++i) kept.push_back(all[i * (all.size() - 1) / (most - 1)]);
  return kept;
}

bool is_among(const std::vector<const RunCandidate*>& all, const RunCandidate* one) {
  return std::ranges::find(all, one) != all.end();
}

void sort_by_time(std::vector<const RunCandidate*>& all) {
  std::ranges::sort(
      all, [](const auto* a, const auto* b) { return a->figures().days < b->figures().days; });
}

int accelerators_of(const RunCandidate* const& candidate) { return candidate->point.accelerators; }

}  // namespace

const SimulatedStep& candidate_step(const RunCandidate& candidate) {
  return *candidate.point.estimate->simulated();
}

std::string none_keeps_text(int not_tried) {
  return fmt::format("NO PLAN {}KEEPS THAT. The nearest is",
                     not_tried > 0 ? "THAT WAS TRIED " : "");
}

std::string stopped_text(int not_tried) {
  if (not_tried == 0) return {};
  return fmt::format("STOPPED: {} or more not tried. The best so far:\n",
                     counted(not_tried, "candidate"));
}

std::string price_term_text(const RunSearch& requested, const RunCandidate& candidate) {
  const auto& term = requested.offers[candidate.offer].expenses.term;
  const bool is_choice = std::ranges::any_of(
      requested.offers, [&](const Offer& offer) { return offer.expenses.term != term; });
  return is_choice && term ? fmt::format(", {}", name_in(price_terms, *term)) : std::string();
}

std::vector<const RunCandidate*> told_candidates(const RunChoice& choice) {
  std::vector<const RunCandidate*> told{&choice.candidates[choice.best.value_or(choice.nearest)]};
  if (choice.best && choice.runner_up) told.push_back(&choice.candidates[*choice.runner_up]);
  return told;
}

std::vector<const RunCandidate*> notable_candidates(const RunSearch& requested,
                                                    const RunChoice& choice) {
  std::map<std::size_t, const RunCandidate*> best_of;
  std::vector<const RunCandidate*> found;
  for (const RunCandidate& each : choice.candidates) {
    if (each.is_on_frontier) found.push_back(&each);
    const auto [place, is_new] = best_of.try_emplace(each.offer, &each);
    if (!is_new && requested.by.of(each.figures()) < requested.by.of(place->second->figures()))
      place->second = &each;
  }
  for (const RunCandidate* each : told_candidates(choice))
    if (!is_among(found, each)) found.push_back(each);
  for (const auto& [offer, best] : best_of)
    if (std::ranges::none_of(found,
                             [&, of = offer](const auto* each) { return each->offer == of; }))
      found.push_back(best);
  sort_by_time(found);
  return found;
}

std::vector<const RunCandidate*> thinned_candidates(const RunSearch& requested,
                                                    const std::vector<const RunCandidate*>& all,
                                                    const std::vector<const RunCandidate*>& told,
                                                    std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<const RunCandidate*> front;
  std::vector<const RunCandidate*> others;
  for (const RunCandidate* each : all) (each->is_on_frontier ? front : others).push_back(each);
  std::ranges::stable_sort(others, [&](const auto* a, const auto* b) {
    const bool first = is_among(told, a);
    if (first != is_among(told, b)) return first;
    return requested.by.of(a->figures()) < requested.by.of(b->figures());
  });
  const std::size_t room = std::max(most / 2, most - std::min(most, front.size()));
  others.resize(std::min(others.size(), room));
  std::vector<const RunCandidate*> kept = others;
  std::ranges::copy_if(front, std::back_inserter(kept),
                       [&](const RunCandidate* each) { return is_among(told, each); });
  std::erase_if(front, [&](const RunCandidate* each) { return is_among(told, each); });
  const auto spread = spread_over(front, most - kept.size());
  kept.insert(kept.end(), spread.begin(), spread.end());
  sort_by_time(kept);
  return kept;
}

std::string candidates_table(const RunSearch& requested,
                             const std::vector<const RunCandidate*>& candidates) {
  const bool has_precisions = requested.runs.size() > 1;
  using Row = const RunCandidate*;
  const auto expected = [](double RunFigures::*value) {
    return [value](const Row& r) { return *r->estimate().typical(figure_of(value)); };
  };
  const auto cluster = [&](const Row& r) {
    return fmt::format("{}{}{}", requested.offers[r->offer].cluster.name,
                       price_term_text(requested, *r), r->is_on_frontier ? "" : " -");
  };
  const auto batch = [](const Row& r) {
    return short_count_text(candidate_step(*r).plan.global_batch());
  };
  const auto interval = [](const Row& r) {
    return range_text(figure_of(&RunFigures::days), r->estimate());
  };
  const auto usd = [=](const Row& r) {
    return r->estimate().expense.price ? std::optional(expected(&RunFigures::usd)(r))
                                       : std::nullopt;
  };
  TableColumns<Row> columns{left("cluster", cluster), right("N", accelerators_of),
                            right("batch", batch)};
  if (has_precisions)
    columns.push_back(
        left("in", [](const Row& r) { return candidate_step(*r).precisions().front(); }));
  columns.insert(columns.end(),
                 {right("days", expected(&RunFigures::days), short_figure), right("90 %", interval),
                  right("USD", usd, short_figure),
                  right("kWh", expected(&RunFigures::kilowatt_hours), short_figure)});
  const bool are_times = std::ranges::all_of(
      requested.limits, [](const RunLimit& limit) { return limit.figure == &RunFigures::days; });
  if (!requested.limits.empty())
    columns.push_back(
        right(are_times ? "in time %" : "chance %", &RunCandidate::chance, whole_percent));
  const bool has_others =
      std::ranges::any_of(candidates, [](const auto* each) { return !each->is_on_frontier; });
  return table_text(columns, candidates) +
         (has_others ? "-: not on the front; the best of its cluster, or the runner-up\n" : "");
}

std::string candidate_plans_table(const RunSearch& requested,
                                  const std::vector<const RunCandidate*>& candidates) {
  using Row = const RunCandidate*;
  const auto plan = [](const Row& r) {
    return fmt::format("{}, {}", candidate_step(*r).precisions().front(),
                       plan_words(plan_that_runs(candidate_step(*r))));
  };
  const TableColumns<Row> columns{
      left("cluster", [&](const Row& r) { return requested.offers[r->offer].cluster.name; }),
      right("N", accelerators_of), left("plan", plan)};
  return table_text(columns, candidates);
}

}  // namespace report
}  // namespace tofn
