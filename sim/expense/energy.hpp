#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/core/statistics.hpp"
#include "sim/expense/activity.hpp"

namespace tofn {
inline namespace expense {

/// A host where the cluster states none, as a share of its accelerators' maximum: what one-node
/// runs on 8 x H100 leave beside them (configs/measured/mlperf-power.csv, the rows that calibrate;
/// a test repeats the fit).
inline constexpr double default_host_share = 0.318;
/// Fans where a cluster says nothing of its cooling. Assumed, knowing that the usual host, of nodes
/// without fans, left an air-cooled one 9 % short.
inline constexpr double default_fans = 0.1;
/// An idle accelerator where none is stated: an A100 draws 70 W of 400 W.
inline constexpr double default_idle_share = 0.17;
/// A port of 400 Gb/s; others by their rate. One switch read 686 W (Dell's power submission to
/// MLPerf Training v4.1, sw_0.txt), which it does not describe: taken for one of 64 such ports.
inline constexpr Watts default_switch_port = Watts(10.7);
/// Between the 1.1 of the largest sites and the 1.5 of many others: assumed.
inline constexpr double default_facility_factor = 1.2;

/// Half of the 90 % interval of the logarithm of power: what the metered runs leave in doubt
/// (configs/measured/mlperf-power.csv; a test repeats it).
inline constexpr double default_power_uncertainty = 0.17;

constexpr double kilowatt_hours(Joules energy) { return energy.base() / 3.6e6; }

/// What a job's share of a machine draws.
struct MachinePower {
  int accelerators = 0;
  int idle_accelerators = 0;  ///< that the job leaves unused in its nodes
  Watts accelerator_idle;
  Watts accelerator_busy;  ///< the stated maximum
  Watts hosts;             ///< of all nodes, at work, without their fans
  double fans = 0;         ///< over what accelerators and hosts draw
  Watts switches;          ///< of the network between them
  double facility_factor = 1;
  std::vector<std::string> assumed;  ///< `power.host 1.68 kW`: figures without a source
};

/// Whole nodes. A port for each NIC where one leaf joins the nodes, two more for each that the
/// spine serves; a torus and a single node have no switches.
MachinePower machine_power(const Cluster&, PlacedJob, std::optional<double> facility_factor = {});

/// Of one accelerator.
Watts mean_power(const MachinePower&, double utilisation);
/// Of all of them, with those that the job leaves idle in its nodes.
Watts accelerators_power(const MachinePower&, double utilisation);
Watts fans_power(const MachinePower&, double utilisation);

struct Energy {
  Joules accelerators;
  Joules hosts;  ///< with their fans
  Joules switches;
  Joules facility;  ///< cooling and distribution

  Joules nodes() const { return accelerators + hosts; }
  Joules total() const { return nodes() + switches + facility; }
};

/// The 90 % interval of an energy, of that by its time alone and the doubt of power.
Interval with_power_uncertainty(double energy, const Interval& by_time,
                                double uncertainty = default_power_uncertainty);

/// time x ((accelerators x (idle + (busy - idle) x utilisation) + idle ones x idle + hosts) x (1 +
/// fans) + switches) x facility factor
Energy energy_of(const MachinePower&, const Activity&);

}  // namespace expense
}  // namespace tofn
