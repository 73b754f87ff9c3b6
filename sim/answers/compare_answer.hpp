#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/core/accuracy.hpp"
#include "sim/published/backtest.hpp"

namespace tofn {
inline namespace answers {

/// Errors of a prediction by term. Relative errors are predicted/published - 1; evaluation and
/// fixed time are shares of the published run, so that a small term does not look like a large
/// error.
struct RowErrors {
  double time = 0;
  std::optional<double> linear;
  std::optional<double> step;
  std::optional<double> samples;
  std::optional<double> evaluation;
  std::optional<double> fixed;
  std::optional<double> gross;  ///< sum of the four terms' absolute errors, as a share of the run
  bool inside_interval = false;
};
/// Absent if the row has no prediction or no published time.
std::optional<RowErrors> row_errors(const BacktestRow&);

/// Errors over the validation rows of a benchmark (empty: of all benchmarks), each run once.
struct ErrorTable {
  std::string name;
  Accuracy time, linear, step, samples, evaluation, fixed, gross;
  std::size_t inside_interval = 0;
};
ErrorTable error_table(std::span<const BacktestRow>, const std::string& benchmark);
/// Errors of all benchmarks, without the rows whose own numbers contradict each other.
ErrorTable sound_error_table(std::span<const BacktestRow>);
/// True if a scored row's own numbers contradict each other.
bool contradicts_itself(const BacktestRow&);

/// Returns the probability that at most `holding` of `intervals` hold, if each holds independently
/// with `probability` in (0, 1).
double chance_of_so_few(std::size_t holding, std::size_t intervals, double probability);

/// Names of the benchmarks in order of first appearance.
std::vector<std::string> benchmarks_of(std::span<const BacktestRow>);

}  // namespace answers
}  // namespace tofn
