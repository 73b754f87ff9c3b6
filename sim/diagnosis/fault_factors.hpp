#pragma once

#include <optional>

#include "sim/diagnosis/causes.hpp"

namespace tofn {
inline namespace diagnosis {

// Factors by which faults of machines and settings lengthen a job's collectives, by the formulas of
// collectives. Each is absent if such a job cannot have the fault.

/// All but one NIC of a node are missing; `half_the_nics_left`: half of them. In one variety NCCL
/// chooses its algorithm for the NICs that are left. In the other, on two nodes, the bus bandwidth
/// is at most that of rings.
std::optional<LogFactors> one_nic_left(const HealthyJob&, const FaultChoice&);
std::optional<LogFactors> half_the_nics_left(const HealthyJob&, const FaultChoice&);

/// Kernel sockets instead of RDMA by verbs, or of the plugin of the fabric's vendor: 1 to 10 GB/s a
/// node, and up to 50 us more a hop.
std::optional<LogFactors> kernel_sockets(const HealthyJob&, const FaultChoice&);
std::optional<LogFactors> sockets_without_plugin(const HealthyJob&, const FaultChoice&);

/// Each transfer passes through host memory: 0.25 to 0.6 of the bandwidth, 3 to 12 us more per hop.
std::optional<LogFactors> host_staged(const HealthyJob&, const FaultChoice&);

/// Scale-up traffic runs at PCIe's bandwidth, or a third of it through host memory.
std::optional<LogFactors> scale_up_over_pcie(const HealthyJob&, const FaultChoice&);

/// Each call takes 5 to 60 us longer, or no call is faster than the launch.
std::optional<LogFactors> slow_launches(const HealthyJob&, const FaultChoice&);

/// Scale-up switches do not reduce.
std::optional<LogFactors> no_reduction_in_switch(const HealthyJob&, const FaultChoice&);

/// One protocol is forced at all sizes; `forced_algorithm`: a tree or a ring. Rings instead of
/// reduction in a switch are another cause.
std::optional<LogFactors> forced_protocol(const HealthyJob&, const FaultChoice&);
std::optional<LogFactors> forced_algorithm(const HealthyJob&, const FaultChoice&);

/// Factors of 1.3 to 4 on 3, 5 or 8 octaves of size, and of 1 below and above.
std::optional<LogFactors> switch_at_wrong_size(const HealthyJob&, const FaultChoice&);

/// Latency or bandwidth of one tier of links is worse by a factor of 1.4 to 3, or to 8 for the
/// network's latency.
std::optional<LogFactors> slow_links(const HealthyJob&, LinkEffect, const FaultChoice&);

}  // namespace diagnosis
}  // namespace tofn
