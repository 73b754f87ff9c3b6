#include "sim/expense/energy.hpp"

#include <cmath>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace expense {
namespace {

std::string figure_text(Watts value) { return to_text(value); }
std::string figure_text(double value) { return fmt::format("{:g}", value); }

/// Returns the stated value, otherwise the default; notes a value without a source in `assumed`.
template <class T>
T stated_or(const std::optional<Sourced<T>>& stated, T typical, const char* name,
            std::vector<std::string>& assumed) {
  const T value = stated ? stated->value : typical;
  if (!stated || stated->is_assumed())
    assumed.push_back(fmt::format("{} {}", name, figure_text(value)));
  return value;
}

/// Switch ports of the network that serve one NIC.
double ports_per_nic(const Network& network, int nodes) {
  if (nodes == 1 || network.kind == NetworkKind::Torus) return 0;
  if (nodes <= network.nodes_per_leaf.value) return 1;
  return 1 + 2 / network.oversubscription.value;
}

Watts switch_power(const Cluster& cluster, int nodes, std::vector<std::string>& assumed) {
  if (!cluster.network) return {};
  const double ports =
      nodes * cluster.network->nics_per_node.value * ports_per_nic(*cluster.network, nodes);
  if (ports == 0) return {};
  const Watts typical = default_switch_port * (cluster.network->nic_bandwidth.value / 400.0_Gbps);
  return ports * stated_or(cluster.power.switch_port, typical, "power.switch_port", assumed);
}

}  // namespace

MachinePower machine_power(const Cluster& cluster, PlacedJob job,
                           std::optional<double> facility_factor) {
  const Accelerator& chip = cluster.accelerator;
  const int per_node = cluster.accelerators_per_node.value;
  const int nodes = cluster.nodes_of(job);
  MachinePower power;
  power.accelerators = job.accelerators;
  power.idle_accelerators = cluster.idle_beside(job);
  power.accelerator_busy = chip.power_at_most();
  if (chip.power.is_assumed())
    power.assumed.push_back(fmt::format("accelerator.power {}", to_text(chip.power.value)));
  power.accelerator_idle = stated_or(chip.idle_power, default_idle_share * chip.power_at_most(),
                                     "accelerator.idle_power", power.assumed);
  power.hosts =
      nodes * stated_or(cluster.power.host, default_host_share * per_node * chip.power.value,
                        "power.host", power.assumed);
  power.fans = stated_or(cluster.power.fans, default_fans, "power.fans", power.assumed);
  power.switches = switch_power(cluster, nodes, power.assumed);
  power.facility_factor = facility_factor
                              ? *facility_factor
                              : stated_or(cluster.power.facility_factor, default_facility_factor,
                                          "power.facility_factor", power.assumed);
  return power;
}

Watts mean_power(const MachinePower& power, double utilisation) {
  return power.accelerator_idle + utilisation * (power.accelerator_busy - power.accelerator_idle);
}

Watts accelerators_power(const MachinePower& power, double utilisation) {
  return power.accelerators * mean_power(power, utilisation) +
         power.idle_accelerators * power.accelerator_idle;
}

Watts fans_power(const MachinePower& power, double utilisation) {
  return power.fans * (accelerators_power(power, utilisation) + power.hosts);
}

Interval with_power_uncertainty(double energy, const Interval& by_time, double uncertainty) {
  return {energy * std::exp(-std::hypot(std::log(energy / by_time.low), uncertainty)),
          energy * std::exp(std::hypot(std::log(by_time.high / energy), uncertainty))};
}

Energy energy_of(const MachinePower& power, const Activity& activity) {
  const Seconds time = activity.total();
  const double busy = utilisation(activity);
  Energy energy;
  energy.accelerators = accelerators_power(power, busy) * time;
  energy.hosts = (power.hosts + fans_power(power, busy)) * time;
  energy.switches = power.switches * time;
  energy.facility = (power.facility_factor - 1) * (energy.nodes() + energy.switches);
  return energy;
}

}  // namespace expense
}  // namespace tofn
