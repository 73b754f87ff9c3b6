#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "sim/core/name_table.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/plan_report.hpp"
#include "sim/report/run_figures.hpp"

namespace tofn {
inline namespace report {

namespace {

std::optional<std::string> term_of(const RunSearch& asked, const RunCandidate& row) {
  const auto& term = asked.offers[row.offer].expenses.term;
  return term ? std::optional(std::string(name_in(price_terms, *term))) : std::nullopt;
}

/// Figures that a run may be limited in; a limit that nobody set leaves its column empty.
constexpr std::array limited_figures{&RunFigures::days, &RunFigures::usd,
                                     &RunFigures::kilowatt_hours};

/// `days_limit`, `cost_usd_limit`, `energy_kwh_limit`: alike in all rows.
void add_limits(Columns<RunCandidate>& columns, const RunSearch& asked) {
  for (const RunFigure& figure : run_figures) {
    if (std::count(limited_figures.begin(), limited_figures.end(), figure.value) == 0) continue;
    std::optional<double> most;
    for (const RunLimit& limit : asked.limits)
      if (limit.figure == figure.value) most = limit.most;
    columns.emplace_back(std::string(figure.name) + "_limit",
                         [most](const RunCandidate&) { return to_value(most); });
  }
}

}  // namespace

Records plan_records(const RunSearch& asked, const RunChoice& choice) {
  using Row = RunCandidate;
  const auto step = [](const Row& row) -> const SimulatedStep& {
    return main_phase(*row.point.estimate->job).step;
  };
  const auto is = [&](const Row& row, std::optional<std::size_t> which) {
    return which && &row == &choice.candidates[*which];
  };
  Columns<Row> columns{
      {"question", [question = plan_question(asked)](const Row&) { return question; }},
      {"run", [&](const Row& row) { return asked.runs[row.run].name; }},
      {"cluster", [&](const Row& row) { return asked.offers[row.offer].cluster.name; }},
      {"accelerator",
       [&](const Row& row) { return asked.offers[row.offer].cluster.accelerator.name; }},
      {"accelerators", [](const Row& row) { return row.point.accelerators; }},
      {"global_batch", [=](const Row& row) { return step(row).plan.global_batch(); }},
      {"price_term", [&](const Row& row) { return term_of(asked, row); }},
      {"precision", [=](const Row& row) { return std::string(step(row).precisions().front()); }},
      {"plan", [=](const Row& row) { return plan_words(step(row).plan); }},
      {"warning", [](const Row& row) { return substituted(row.point.warnings); }},
      {"chance", [](const Row& row) { return row.chance; }},
      {"keeps_limits", [&](const Row& row) { return row.chance >= asked.confidence; }},
      {"is_best", [=, &choice](const Row& row) { return is(row, choice.best); }},
      {"is_nearest",
       [=, &choice](const Row& row) { return !choice.best && is(row, choice.nearest); }},
      {"is_runner_up", [=, &choice](const Row& row) { return is(row, choice.runner_up); }},
      {"is_on_frontier", [](const Row& row) { return row.is_on_frontier; }}};
  add_limits(columns, asked);
  add_run_figures(columns, [](const Row& row) { return &*row.point.estimate; });
  return records_of(columns, choice.candidates);
}

}  // namespace report
}  // namespace tofn
