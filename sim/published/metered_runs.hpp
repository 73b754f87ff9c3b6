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
  const Cluster* cluster = nullptr;
  Activity predicted;  ///< the whole run's

  Energy predicted_energy() const;
  /// Of one node, on average.
  Watts power() const;
  Watts predicted_power() const;
  /// What a host must have drawn for the prediction to be right.
  Watts host_power() const;
  // predicted/measured - 1
  double time_error() const;
  double power_error() const;
  double energy_error() const;
};

/// The rows of a table with the columns of configs/measured/mlperf-power.csv that are of this
/// published table (its file name without `.csv`), in order. `resolved` and `predicted` are its
/// rows. InputError where one of them has no prediction.
std::vector<MeteredRun> metered_runs(const CsvTable&, const std::string& published,
                                     std::span<const ResolvedRow> resolved,
                                     std::span<const BacktestRow> predicted);

}  // namespace published
}  // namespace tofn
