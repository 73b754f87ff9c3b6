#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/cluster/accelerator.hpp"
#include "sim/cluster/cluster_power.hpp"
#include "sim/cluster/collective_library.hpp"
#include "sim/cluster/link_family.hpp"
#include "sim/cluster/placed_job.hpp"
#include "sim/core/quantity.hpp"
#include "sim/core/sourced.hpp"

namespace tofn {
inline namespace cluster {

/// Kinds of scale-up fabric. HostMemory: processes of a node that share its memory, regardless of
/// the links between its accelerators.
enum class ScaleUpKind { Switch, Mesh, Pcie, BridgePairs, Torus, HostMemory };
inline constexpr std::array<std::pair<std::string_view, ScaleUpKind>, 6> scale_up_kinds{{
    {"switch", ScaleUpKind::Switch},
    {"mesh", ScaleUpKind::Mesh},
    {"pcie", ScaleUpKind::Pcie},
    {"bridge-pairs", ScaleUpKind::BridgePairs},
    {"torus", ScaleUpKind::Torus},
    {"host-memory", ScaleUpKind::HostMemory},
}};

enum class NetworkKind { Infiniband, Roce, Ethernet, Slingshot, Torus, HostNetwork };
inline constexpr std::array<std::pair<std::string_view, NetworkKind>, 6> network_kinds{{
    {"infiniband", NetworkKind::Infiniband},
    {"roce", NetworkKind::Roce},
    {"ethernet", NetworkKind::Ethernet},
    {"slingshot", NetworkKind::Slingshot},
    {"torus", NetworkKind::Torus},
    {"host-network", NetworkKind::HostNetwork},
}};

/// Links of a torus.
struct TorusLinks {
  Sourced<int> dimensions;   ///< 1 to 3, with two links each
  Sourced<int> closes_from;  ///< chips from which sides are rings; with fewer, lines
};

/// Fabric inside a scale-up domain: NVLink, xGMI, PCIe. A domain may span several nodes: a GB200
/// node has 4 accelerators, its NVLink domain 72.
struct ScaleUpFabric {
  ScaleUpKind kind = ScaleUpKind::Switch;
  Sourced<int> domain_accelerators;
  Sourced<BytesPerSecond> bandwidth;     ///< per accelerator and direction, nominal
  Sourced<double> bandwidth_efficiency;  ///< share that large ring collectives reach, 0..1
  Sourced<Seconds> latency;              ///< per hop, as seen by a collective
  Sourced<bool> in_switch_reduction;     ///< multicast and reduction in the switch (NVLS)
  std::optional<TorusLinks> torus{};     ///< if the torus continues between the domains
  LinkFamily family{};
};

/// Network between nodes.
struct Network {
  NetworkKind kind = NetworkKind::Infiniband;
  Sourced<int> nics_per_node;
  Sourced<BytesPerSecond> nic_bandwidth;  ///< per NIC and direction, nominal
  Sourced<double> bandwidth_efficiency;   ///< share that large collectives reach, 0..1
  Sourced<Seconds> latency;               ///< per hop between nodes, as seen by a collective
  Sourced<bool> in_network_reduction;     ///< the switches can reduce (SHARP) if a run requests it
  Sourced<int> nodes_per_leaf;            ///< nodes that reach each other below the spine
  Sourced<double> oversubscription;       ///< of the spine; 1: non-blocking
  std::optional<Sourced<Seconds>> spine_latency{};  ///< added to a hop between leaves; absent: 0
  ProtocolSet protocols{};                          ///< NCCL protocols that its transport supports
  LinkFamily family{};
};

/// Copies of data between accelerators and a library that works in the host's memory.
struct HostCopies {
  Sourced<Seconds> latency;           ///< per copy
  Sourced<BytesPerSecond> bandwidth;  ///< achieved, per accelerator and direction
};

struct MeasuredMachine;

/// A machine: the accelerators of a node, the fabric of a scale-up domain, and the network between
/// nodes. Without a network it is one node.
struct Cluster {
  std::string name;
  std::string machine;  ///< cluster of which this is a view; its own name: no view
  std::string description;
  std::vector<std::string> systems;  ///< `organisation/system` patterns of published tables
  Accelerator accelerator;
  Sourced<int> accelerators_per_node;
  ScaleUpFabric scale_up;
  std::optional<Network> network;
  CollectiveLibrary library = CollectiveLibrary::Nccl;
  std::optional<HostCopies> host_copies{};  ///< absent: it works on data in place
  ClusterPower power{};                     ///< power of all but the accelerators
  Prices prices{};                          ///< of those who rent it out
  /// Algorithm that all-reduces must use, from any library (a what-if; a name in the catalogue).
  /// Empty: the cluster's library chooses.
  std::string_view all_reduce{};
  std::shared_ptr<const MeasuredMachine> measured;  ///< measured collectives; null: formulas only

  /// True if this is the view of another cluster's nodes through another library.
  bool is_a_view() const { return !machine.empty() && machine != name; }
  /// Number of nodes that a job takes; the last one may be shared with another job.
  int nodes_of(PlacedJob) const;
  /// Number of unused accelerators on nodes that a job uses only in part.
  int idle_beside(PlacedJob) const;
};

}  // namespace cluster
}  // namespace tofn
