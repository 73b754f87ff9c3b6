#include "sim/answers/published_answer.hpp"

#include <iterator>

#include "sim/core/parallel.hpp"

namespace tofn {
inline namespace answers {
namespace {

constexpr double seconds_of_a_minute = 60;

ScoredRun scored_run(const ResolvedRow& resolved, const BacktestRow& row,
                     const std::filesystem::path& table) {
  ScoredRun run{
      .benchmark = row.workload,
      .organisation = row.row.inputs.organisation,
      .system = row.row.inputs.system,
      .accelerator = row.accelerator.empty() ? row.row.inputs.accelerator : row.accelerator,
      .table = table.stem().string(),
      .accelerators = row.row.inputs.accelerators,
      .is_in_one_domain = resolved.run && is_in_one_domain(*resolved.run),
      .time = {},
      .linear = {},
      .skipped_because = unscored_because(row),
      .location = row.row.inputs.location,
      .contradiction = row.contradiction};
  const auto published = row.row.outcome.official_minutes;
  if (published) run.time.measured = seconds_of_a_minute * *published;
  if (run.skipped_because.empty() && !published) run.skipped_because = "no time was published";
  if (!row.prediction) return run;
  run.time.predicted = row.prediction->total().time.base();
  run.time.intervals.emplace();
  for (std::size_t i = 0; i < coverages.size(); ++i)
    (*run.time.intervals)[i] = central_interval(row.sampled_seconds, coverages[i]);
  if (row.linear_minutes) run.linear = seconds_of_a_minute * *row.linear_minutes;
  return run;
}

/// A table, with the rows of other tables that its predictions are fitted to.
struct PublishedTable {
  std::filesystem::path file;
  std::vector<ResolvedRow> rows;
  std::vector<ResolvedRow> beside;
};

std::vector<ScoredRun> scored_table(const PublishedTable& table, CalibrationRule rule) {
  const auto predicted = backtest(table.rows, table.beside, {.rule = rule});
  std::vector<ScoredRun> runs;
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    runs.push_back(scored_run(table.rows[i], predicted[i], table.file));
  return runs;
}

}  // namespace

std::vector<ScoredRun> published_answer(Shipped& shipped,
                                        const std::vector<std::filesystem::path>& files,
                                        CalibrationRule rule, std::vector<std::string>* notes) {
  std::vector<PublishedTable> tables;
  for (const auto& file : files)
    tables.push_back({file, shipped.resolved(file, notes), shipped.rows_beside(file, rule)});
  std::vector<std::vector<ScoredRun>> of_tables(tables.size());
  in_parallel(tables.size(), [&](std::size_t i) { of_tables[i] = scored_table(tables[i], rule); });
  std::vector<ScoredRun> runs;
  for (auto& of_table : of_tables)
    runs.insert(runs.end(), std::make_move_iterator(of_table.begin()),
                std::make_move_iterator(of_table.end()));
  return runs;
}

}  // namespace answers
}  // namespace tofn
