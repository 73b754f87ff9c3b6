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

/// HostMemory: processes of a node that share its memory, whatever joins its accelerators.
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

/// How the links of a torus run.
struct TorusLinks {
  Sourced<int> dimensions;   ///< 1 to 3, two links each
  Sourced<int> closes_from;  ///< chips of a job whose sides are rings; of fewer they are lines
};

/// The fabric inside a scale-up domain: NVLink, xGMI, PCIe. A domain may span several nodes: a
/// GB200 node holds 4 accelerators, its NVLink domain 72.
struct ScaleUpFabric {
  ScaleUpKind kind = ScaleUpKind::Switch;
  Sourced<int> domain_accelerators;
  Sourced<BytesPerSecond> bandwidth;     ///< per accelerator and direction, nominal
  Sourced<double> bandwidth_efficiency;  ///< share of it that large ring collectives reach, 0..1
  Sourced<Seconds> latency;              ///< per hop, as a collective sees it
  Sourced<bool> in_switch_reduction;     ///< multicast and reduction in the switch (NVLS)
  std::optional<TorusLinks> torus{};     ///< of kind Torus, where it goes on between the domains
  LinkFamily family{};
};

/// The network between nodes.
struct Network {
  NetworkKind kind = NetworkKind::Infiniband;
  Sourced<int> nics_per_node;
  Sourced<BytesPerSecond> nic_bandwidth;  ///< per NIC and direction, nominal
  Sourced<double> bandwidth_efficiency;   ///< share of it that large collectives reach, 0..1
  Sourced<Seconds> latency;               ///< per hop between nodes, as a collective sees it
  Sourced<bool> in_network_reduction;     ///< the switches can reduce (SHARP) if a run asks for it
  Sourced<int> nodes_per_leaf;            ///< nodes that reach each other below the spine
  Sourced<double> oversubscription;       ///< of the spine; 1 is non-blocking
  std::optional<Sourced<Seconds>> spine_latency{};  ///< added to a hop between leaves; absent: none
  ProtocolSet protocols{};  ///< those of NCCL that its transport lets jobs over it use
  LinkFamily family{};
};

/// How data of accelerators comes to a library that takes it from the host's memory.
struct HostCopies {
  Sourced<Seconds> latency;           ///< of one copy
  Sourced<BytesPerSecond> bandwidth;  ///< per accelerator and direction, as copies reach it
};

struct MeasuredMachine;
class AskedCollectives;

/// A machine: what one node holds, what joins the accelerators inside a scale-up domain, and what
/// joins the nodes. Absent network: the system is one node.
struct Cluster {
  std::string name;
  std::string machine;  ///< the cluster whose nodes these are, seen otherwise; its own name: none
  std::string description;
  std::vector<std::string> systems;  ///< `organisation/system` patterns of published tables
  Accelerator accelerator;
  Sourced<int> accelerators_per_node;
  ScaleUpFabric scale_up;
  std::optional<Network> network;
  CollectiveLibrary library = CollectiveLibrary::Nccl;
  std::optional<HostCopies> host_copies{};  ///< absent: the library reaches what it is given
  ClusterPower power{};                     ///< what the rest of it draws
  Prices prices{};                          ///< of those who rent it out
  /// The algorithm that all-reduces run by, whatever library has it (a what-if, a name of the
  /// catalogue); empty: what the cluster's library chooses.
  std::string_view all_reduce{};
  std::shared_ptr<const MeasuredMachine> measured;  ///< its collectives; null: formulas alone
  AskedCollectives* asked = nullptr;                ///< takes note; null: nobody wants to know

  /// Seen as another library has it: it is no machine of its own.
  bool is_a_view() const { return !machine.empty() && machine != name; }
  /// Nodes that a job takes; the last may be in part another job's.
  int nodes_of(PlacedJob) const;
  /// Accelerators that it has beside its own: of the nodes that it leaves in part unused.
  int idle_beside(PlacedJob) const;
};

}  // namespace cluster
}  // namespace tofn
