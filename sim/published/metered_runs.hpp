#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/core/csv.hpp"
#include "sim/expense/energy.hpp"
#include "sim/published/backtest.hpp"

namespace tofn {
inline namespace published {

/// A published run whose nodes were metered at the wall, with its prediction.
struct MeteredRun {
  std::string name;  ///< `organisation/system`
  std::string benchmark;
  std::string use;  ///< `calibrates`, `held out` or `same runs` as another row
  int accelerators = 0;
  int nodes = 0;
  Seconds time;   ///< without scaling of the score
  Joules energy;  ///< of the nodes
  Cluster cluster;
  Activity predicted;       ///< of the whole run
  Interval predicted_time;  ///< seconds, 90 %
  /// Prediction for the measured step, samples, evaluation and start-up; the time by which a step
  /// took longer than predicted counts as waiting. Absent if one of them is not stated.
  std::optional<Activity> as_run{};
  /// Figures from runs on other machines: host power as a share of the accelerators' maximum, and
  /// the uncertainty of power.
  double others_host_share = default_host_share;
  double others_power_uncertainty = default_power_uncertainty;

  Energy predicted_energy() const;
  /// Average power of one node.
  Watts power() const;
  Watts predicted_power() const;
  /// Host power that makes the prediction exact, as a share of its accelerators' maximum.
  double host_share() const;
  /// Predictions with the host share from runs on other machines, with 90 % intervals.
  Energy left_out_energy() const;
  Watts left_out_power() const;
  Interval power_interval() const;
  Interval energy_interval() const;  ///< joules
  // Relative errors: predicted/measured - 1.
  double time_error() const;
  double power_error() const;
  std::optional<double> power_error_as_run() const;  ///< of power, given the measured times
  double energy_error() const;
};

/// Reads a table with the columns of configs/measured/mlperf-power.csv. InputError at the first
/// mistake.
CsvTable read_metered_table(const std::filesystem::path&);

/// Rows of such a table that belong to a published table (its file name without `.csv`), in order.
/// `resolved` and `predicted` are the rows of the published table. InputError if one of them has no
/// prediction.
std::vector<MeteredRun> metered_runs(const CsvTable&, const std::string& published,
                                     std::span<const ResolvedRow> resolved,
                                     std::span<const BacktestRow> predicted);

/// Sets each run's figures from runs on other machines, which differ by the names of their
/// clusters.
void leave_machines_out(std::span<MeteredRun>);

/// Half of the 90 % interval of the logarithm of power, from errors of that logarithm: Student's,
/// with a prior deviation of 10 % that counts as one run.
double power_uncertainty(std::span<const double> errors);

}  // namespace published
}  // namespace tofn
