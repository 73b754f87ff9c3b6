#include "sim/answers/compare_answer.hpp"

#include <algorithm>
#include <cmath>

#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace answers {
namespace {

std::optional<double> relative(double predicted, std::optional<double> published) {
  if (!published) return {};
  return predicted / *published - 1;
}

/// True if the row has a step time to score. A steady step that contains in-line evaluations (none
/// was logged), or that contradicts the clock of its run, is none.
bool step_was_measured(const BacktestRow& row) {
  const auto& outcome = row.row.outcome;
  return outcome.step_ms && outcome.evaluation_exposed_minutes && row.contradiction.empty();
}

/// Sum of the changes of the run that each term's error makes alone, as shares of the published
/// time.
std::optional<double> gross_error(const RowErrors& errors, const RowOutcome& outcome) {
  if (!errors.step || !errors.samples || !errors.evaluation || !errors.fixed) return {};
  const double stepping =
      1 - (*outcome.evaluation_exposed_minutes + *outcome.startup_seconds / 60) /
              *outcome.unscaled_minutes;
  return stepping * (std::abs(*errors.step) + std::abs(*errors.samples)) +
         std::abs(*errors.evaluation) + std::abs(*errors.fixed);
}

/// Accuracy of one kind of error over the rows that have it.
Accuracy accuracy_of_term(std::span<const RowErrors> rows, std::optional<double> RowErrors::*kind) {
  std::vector<double> found;
  for (const RowErrors& errors : rows)
    if (errors.*kind) found.push_back(*(errors.*kind));
  return accuracy_of(found);
}

}  // namespace

std::optional<RowErrors> row_errors(const BacktestRow& row) {
  const RowOutcome& outcome = row.row.outcome;
  if (!row.prediction || !outcome.official_minutes) return {};
  const RunBreakdown& run = *row.prediction;
  const double published = *outcome.official_minutes;
  RowErrors errors;
  errors.time = run.total().time.base() / 60 / published - 1;
  if (row.linear_minutes) errors.linear = *row.linear_minutes / published - 1;
  if (step_was_measured(row)) errors.step = relative(run.step.total.base() * 1e3, outcome.step_ms);
  errors.samples = relative(run.samples, outcome.samples);
  if (outcome.evaluation_exposed_minutes)
    errors.evaluation =
        (run.evaluation.time.base() / 60 - *outcome.evaluation_exposed_minutes) / published;
  if (outcome.startup_seconds)
    errors.fixed = (run.beside_steps().base() - *outcome.startup_seconds) / 60 / published;
  if (outcome.unscaled_minutes) errors.gross = gross_error(errors, outcome);
  errors.inside_interval = row.seconds.contains(published * 60);
  return errors;
}

bool contradicts_itself(const BacktestRow& row) {
  return is_scored(row) && !row.contradiction.empty() && row_errors(row).has_value();
}

ErrorTable sound_error_table(std::span<const BacktestRow> rows) {
  std::vector<BacktestRow> sound;
  for (const BacktestRow& row : rows)
    if (row.contradiction.empty()) sound.push_back(row);
  return error_table(sound, "");
}

ErrorTable error_table(std::span<const BacktestRow> rows, const std::string& benchmark) {
  std::vector<RowErrors> scored;
  for (const BacktestRow& row : rows) {
    if (!is_scored(row)) continue;
    if (!benchmark.empty() && row.workload != benchmark) continue;
    if (const auto errors = row_errors(row)) scored.push_back(*errors);
  }
  std::vector<double> time;
  time.reserve(scored.size());
  for (const RowErrors& errors : scored) time.push_back(errors.time);

  ErrorTable table;
  table.name = benchmark.empty() ? "all" : benchmark;
  table.time = accuracy_of(time);
  table.linear = accuracy_of_term(scored, &RowErrors::linear);
  table.step = accuracy_of_term(scored, &RowErrors::step);
  table.samples = accuracy_of_term(scored, &RowErrors::samples);
  table.evaluation = accuracy_of_term(scored, &RowErrors::evaluation);
  table.fixed = accuracy_of_term(scored, &RowErrors::fixed);
  table.gross = accuracy_of_term(scored, &RowErrors::gross);
  for (const RowErrors& errors : scored) table.inside_interval += errors.inside_interval ? 1 : 0;
  return table;
}

double chance_of_so_few(std::size_t holding, std::size_t intervals, double probability) {
  // Each term of the binomial distribution follows from the one before it.
  const auto n = static_cast<double>(intervals);
  double term = std::pow(1 - probability, n);
  double sum = term;
  for (std::size_t k = 1; k <= std::min(holding, intervals); ++k) {
    const auto count = static_cast<double>(k);
    term *= (n - count + 1) / count * probability / (1 - probability);
    sum += term;
  }
  return std::min(sum, 1.0);
}

std::vector<std::string> benchmarks_of(std::span<const BacktestRow> rows) {
  std::vector<std::string> names;
  for (const BacktestRow& row : rows)
    if (std::ranges::find(names, row.workload) == names.end()) names.push_back(row.workload);
  return names;
}

}  // namespace answers
}  // namespace tofn
