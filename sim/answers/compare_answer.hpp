#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/core/accuracy.hpp"
#include "sim/published/backtest.hpp"

namespace tofn {
inline namespace answers {

/// What a prediction missed. Relative errors are predicted/published - 1; evaluation and fixed time
/// are in shares of the published run, so that a small term does not look like a large error.
struct RowErrors {
  double time = 0;
  std::optional<double> linear;
  std::optional<double> step;
  std::optional<double> samples;
  std::optional<double> evaluation;
  std::optional<double> fixed;
  std::optional<double> gross;  ///< the four terms' errors as shares of the run, none cancelling
  bool inside_interval = false;
};
/// Absent where nothing was predicted or published.
std::optional<RowErrors> row_errors(const BacktestRow&);

/// Errors over the validation rows of a benchmark (empty: all), each run once.
struct ErrorTable {
  std::string name;
  Accuracy time, linear, step, samples, evaluation, fixed, gross;
  std::size_t inside_interval = 0;
};
ErrorTable error_table(std::span<const BacktestRow>, const std::string& benchmark);
/// Of all, without the rows whose own numbers contradict each other.
ErrorTable sound_error_table(std::span<const BacktestRow>);
/// Whether a scored row is such a one.
bool contradicts_itself(const BacktestRow&);

/// The probability that at most so many of `intervals` hold, were each right with that probability
/// in (0, 1) and all independent.
double chance_of_so_few(std::size_t holding, std::size_t intervals, double probability);

/// Benchmarks in order of first appearance.
std::vector<std::string> benchmarks_of(std::span<const BacktestRow>);

}  // namespace answers
}  // namespace tofn
