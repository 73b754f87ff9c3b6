#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/published/published_table.hpp"
#include "sim/training/run.hpp"
#include "sim/training/run_estimate.hpp"

namespace tofn {
inline namespace published {

/// Rows that calibrate the predictions.
enum class CalibrationRule {
  OneNode,          ///< every run inside one scale-up domain
  OtherSubmitters,  ///< one-domain runs of other organisations than the row's
  OtherRounds,      ///< one-domain runs of other tables than the row's
  None,             ///< no rows: assumed efficiencies
};
inline constexpr std::array<std::pair<std::string_view, CalibrationRule>, 4> calibration_rules{
    {{"one-node", CalibrationRule::OneNode},
     {"other-submitters", CalibrationRule::OtherSubmitters},
     {"other-rounds", CalibrationRule::OtherRounds},
     {"none", CalibrationRule::None}}};

enum class Role { Calibration, Validation, Skipped };
std::string_view to_text(Role);

/// A row with the run that it describes, or the reason why it describes none.
struct ResolvedRow {
  PublishedRow row;
  std::optional<RunDescription> run;
  std::string skipped_because;
};

struct BacktestRow {
  PublishedRow row;
  Role role = Role::Skipped;
  std::string skipped_because;
  bool repeats_another_row = false;  ///< same runs as an earlier row: predicted, but not scored
                                     ///< again
  std::string contradiction{};       ///< between its own numbers: its time is scored, its step is
                                     ///< not
  std::optional<RunBreakdown> prediction;         ///< expected run; absent: the row was skipped
  Interval seconds{};                             ///< 90 % interval of its total time
  std::vector<double> sampled_seconds{};          ///< total of each sample
  std::shared_ptr<const RunEstimate> estimate{};  ///< figures of the prediction
  std::string calibrated_on;                      ///< accelerator and release of the step profile
  std::string accelerator;  ///< its name in configs/accelerators if that is known
  std::string workload;     ///< its name in configs/workloads, else the benchmark as given
  std::optional<double> linear_minutes;  ///< linear scaling from the 8-accelerator score
};

/// True if the row's errors are scored: predicted, held out, its runs counted once. A row whose
/// step contradicts its clock is scored too, because the official time is certain.
inline bool is_scored(const BacktestRow& row) {
  return row.role == Role::Validation && !row.repeats_another_row;
}
/// Reason why the row's errors are not scored; empty if they are.
std::string unscored_because(const BacktestRow&);
inline constexpr std::string_view since_it_calibrates = "it calibrates";

/// True if the run is inside one scale-up domain of its cluster.
bool is_in_one_domain(const RunDescription&);

/// Measured terms of a row, for calibration.
Observation observation_of(const ResolvedRow&);

/// One-domain rows of the tables, each run once.
std::vector<Observation> calibration_observations(std::span<const ResolvedRow>);

struct BacktestOptions {
  CalibrationRule rule = CalibrationRule::OneNode;
  std::uint64_t seed = default_seed;
  bool estimates = false;  ///< also the figures of each run, which take memory
};

/// Predicts every row of `table`, calibrated on the one-domain rows of `table` and of `background`.
/// No prediction reads an outcome of its own row, unless the row itself calibrates.
std::vector<BacktestRow> backtest(std::span<const ResolvedRow> table,
                                  std::span<const ResolvedRow> background, const BacktestOptions&);

}  // namespace published
}  // namespace tofn
