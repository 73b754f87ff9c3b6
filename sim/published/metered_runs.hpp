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

/// A published run whose nodes were metered, at the wall, and what is predicted of it.
struct MeteredRun {
  std::string name;  ///< `organisation/system`
  std::string benchmark;
  std::string use;  ///< `calibrates`, `held out` or `same runs` as another row
  int accelerators = 0;
  int nodes = 0;
  Seconds time;   ///< without scaling of the score
  Joules energy;  ///< of the nodes
  Cluster cluster;
  Activity predicted;       ///< the whole run's
  Interval predicted_time;  ///< seconds, 90 %
  /// The same of the step, samples, evaluation and start-up that were measured: what a step took
  /// longer than predicted was waiting. Absent: one of them is not stated.
  std::optional<Activity> as_run{};
  /// What runs of other machines tell of hosts, as a share of accelerators' maximum, and of power.
  double others_host_share = default_host_share;
  double others_power_uncertainty = default_power_uncertainty;

  Energy predicted_energy() const;
  /// Of one node, on average.
  Watts power() const;
  Watts predicted_power() const;
  /// What a host must have drawn for the prediction to be right, as a share of its accelerators'
  /// maximum.
  double host_share() const;
  /// Likewise, where runs of other machines say what hosts draw; with 90 % intervals.
  Energy left_out_energy() const;
  Watts left_out_power() const;
  Interval power_interval() const;
  Interval energy_interval() const;  ///< joules
  // predicted/measured - 1
  double time_error() const;
  double power_error() const;
  std::optional<double> power_error_as_run() const;  ///< of what is drawn, not of how long
  double energy_error() const;
};

/// A table with the columns of configs/measured/mlperf-power.csv. InputError at the first mistake.
CsvTable read_metered_table(const std::filesystem::path&);

/// The rows of such a table that are of this published table (its file name without `.csv`), in
/// order. `resolved` and `predicted` are its rows. InputError where one of them has no prediction.
std::vector<MeteredRun> metered_runs(const CsvTable&, const std::string& published,
                                     std::span<const ResolvedRow> resolved,
                                     std::span<const BacktestRow> predicted);

/// Tells each run what the others say that ran on other machines; those are compared by the names
/// of their clusters.
void leave_machines_out(std::span<MeteredRun>);

/// Half of the 90 % interval of the logarithm of power after these errors of it (logarithms):
/// Student's, with a deviation of 10 % that was assumed before, worth one run.
double power_uncertainty(std::span<const double> errors);

}  // namespace published
}  // namespace tofn
