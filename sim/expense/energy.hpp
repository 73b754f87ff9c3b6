#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/core/statistics.hpp"
#include "sim/expense/activity.hpp"

namespace tofn {
inline namespace expense {

/// Power of a host if the cluster states none, as a share of its accelerators' maximum. Fitted to
/// one-node runs on 8 x H100, as the power beside the accelerators
/// (configs/measured/mlperf-power.csv, the rows that calibrate; a test repeats the fit).
inline constexpr double default_host_share = 0.318;
/// Share of fans if a cluster does not state its cooling. Assumed, knowing that the default host,
/// fitted to nodes without fans, was 9 % too low for an air-cooled one.
inline constexpr double default_fans = 0.1;
/// Power of an idle accelerator if none is stated: an A100 draws 70 W of 400 W.
inline constexpr double default_idle_share = 0.17;
/// Power of a port of 400 Gb/s; other ports scale with their rate. One switch read 686 W (Dell's
/// power submission to MLPerf Training v4.1, sw_0.txt); its ports are not described, so 64 of that
/// rate are assumed.
inline constexpr Watts default_switch_port = Watts(10.7);
/// Assumed: between the 1.1 of the largest sites and the 1.5 of many others.
inline constexpr double default_facility_factor = 1.2;

/// Half of the 90 % interval of the logarithm of power: the error that remains on metered runs
/// (configs/measured/mlperf-power.csv; a test repeats it).
inline constexpr double default_power_uncertainty = 0.17;

constexpr double kilowatt_hours(Joules energy) { return energy.base() / 3.6e6; }

/// Power of a job's share of a machine.
struct MachinePower {
  int accelerators = 0;
  int idle_accelerators = 0;  ///< in the job's nodes, but not used by it
  Watts accelerator_idle;
  Watts accelerator_busy;  ///< the stated maximum
  Watts hosts;             ///< of all nodes under load, without their fans
  double fans = 0;         ///< as a share of the power of accelerators and hosts
  Watts switches;          ///< of the network between the nodes
  double facility_factor = 1;
  std::vector<std::string> assumed;  ///< `power.host 1.68 kW`: figures without a source
};

/// Power of whole nodes. Each NIC has one port if a leaf joins all nodes, and two more for each
/// port that the spine serves. A torus and a single node have no switches.
MachinePower machine_power(const Cluster&, PlacedJob, std::optional<double> facility_factor = {});

/// Power of one accelerator.
Watts mean_power(const MachinePower&, double utilisation);
/// Power of all accelerators, including those that the job leaves idle in its nodes.
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

/// 90 % interval of an energy. `by_time`: its interval from the uncertainty of time alone.
/// `uncertainty`: that of power, half of the 90 % interval of its logarithm.
Interval with_power_uncertainty(double energy, const Interval& by_time,
                                double uncertainty = default_power_uncertainty);

/// time x ((accelerators x (idle + (busy - idle) x utilisation) + idle ones x idle + hosts) x (1 +
/// fans) + switches) x facility factor
Energy energy_of(const MachinePower&, const Activity&);

}  // namespace expense
}  // namespace tofn
