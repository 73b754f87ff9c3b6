#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "sim/core/name_table.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/figure_columns.hpp"
#include "sim/report/plan_candidates.hpp"
#include "sim/report/plan_report.hpp"

namespace tofn {
inline namespace report {

namespace {

std::optional<std::string> term_of(const RunSearch& request, const RunCandidate& row) {
  const auto& term = request.offers[row.offer].expenses.term;
  return term ? std::optional(std::string(name_in(price_terms, *term))) : std::nullopt;
}

/// Figures that can be limited in a run; the column of a limit that is not set stays empty.
constexpr std::array limited_figures{&RunFigures::days, &RunFigures::usd,
                                     &RunFigures::kilowatt_hours, &RunFigures::co2_tonnes};

/// Adds the columns `days_limit`, `cost_usd_limit`, `energy_kwh_limit` and `co2_t_limit`, equal in
/// all rows.
void add_limits(Columns<RunCandidate>& columns, const RunSearch& request) {
  for (const RunFigure& figure : run_figures) {
    if (std::ranges::count(limited_figures, figure.value) == 0) continue;
    std::optional<double> most;
    for (const RunLimit& limit : request.limits)
      if (limit.figure == figure.value) most = limit.most;
    columns.emplace_back(
        std::string(figure.name) + "_limit", [most](const RunCandidate&) { return to_value(most); },
        "limit that was requested, alike in all rows");
  }
}

Columns<RunCandidate> columns_of(const RunSearch& request, const RunChoice& choice) {
  using Row = RunCandidate;
  const auto is = [&](const Row& row, std::optional<std::size_t> which) {
    return which && &row == &choice.candidates[*which];
  };
  Columns<Row> columns{
      {"question", [&](const Row&) { return plan_question(request); },
       "question of the search, in one sentence"},
      {"run", [&](const Row& row) { return request.runs[row.run].name; },
       "run, by its name in runs/, else the job"},
      {"cluster", [&](const Row& row) { return request.offers[row.offer].cluster.name; },
       "machine, by its name in clusters/"},
      {"accelerator",
       [&](const Row& row) { return request.offers[row.offer].cluster.accelerator.name; },
       "chip, by its name in accelerators/"},
      {"accelerators", [](const Row& row) { return row.point.accelerators; },
       "accelerators of the job"},
      {"global_batch", [](const Row& row) { return candidate_step(row).plan.global_batch(); },
       "samples of a step"},
      {"price_term", [&](const Row& row) { return term_of(request, row); },
       "term of the price: on_demand, reserved_1y, reserved_3y or spot"},
      {"precision",
       [](const Row& row) { return std::string(candidate_step(row).precisions().front()); },
       "precision of the matrix products"},
      {"plan", [](const Row& row) { return plan_words(candidate_step(row).plan); },
       "split of the job over accelerators, in words"},
      {"warning", [](const Row& row) { return substituted(row.point.warnings); },
       "warnings to read before using the figures"},
      {"substituted", [](const Row& row) { return substituted(row.point.substitutions); },
       "assumptions in place of what was requested or is lacking"},
      {"chance", [](const Row& row) { return row.chance; }, "chance that the run keeps all limits"},
      {"keeps_limits", [&](const Row& row) { return row.chance >= request.confidence; },
       "1 where the chance is as much as was requested"},
      {"is_best", [=, &choice](const Row& row) { return is(row, choice.best); },
       "1 for the candidate that is chosen"},
      {"is_nearest",
       [=, &choice](const Row& row) { return !choice.best && is(row, choice.nearest); },
       "1 for the candidate nearest to the limits, where none keeps them"},
      {"is_runner_up", [=, &choice](const Row& row) { return is(row, choice.runner_up); },
       "1 for the next best candidate"},
      {"is_on_frontier", [](const Row& row) { return row.is_on_frontier; },
       "1 where no other candidate is both faster and cheaper"}};
  add_limits(columns, request);
  add_run_figures(columns, [](const Row& row) { return &*row.point.estimate; });
  return columns;
}

}  // namespace

std::vector<ColumnWords> candidate_columns() {
  const KernelProfile none;
  return words_of(columns_of({.runs = {}, .offers = {}, .profile = none}, {}));
}

Records plan_records(const RunSearch& request, const RunChoice& choice) {
  return records_of(columns_of(request, choice), choice.candidates);
}

}  // namespace report
}  // namespace tofn
