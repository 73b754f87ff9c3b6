#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cluster/cluster.hpp"

namespace tofn {
inline namespace validation {

/// What speaks against one value of a file.
struct MachineFault {
  std::string_view key;  ///< dotted: `network.nic_bandwidth`
  std::string problem;
  bool is_impossible = false;  ///< else unlikely: a slip of units, or a machine not yet known
};

/// A figure of a machine, in `unit`, that lies from `least` to `most` over configs/ (a test holds
/// it); outside that by more than a factor of `margin` is a fault.
template <class Machine>
struct MachineRule {
  std::string_view key;
  std::string_view what;
  std::string_view unit;
  bool (*applies)(const Machine&);
  double (*figure)(const Machine&);
  double least = 0;
  double most = 0;
  double margin = 1;
  bool is_impossible = false;
  std::string_view hint;        ///< the slip that gives such a figure
  std::string_view rests_on{};  ///< another key, whose fault explains this one
};

std::span<const MachineRule<Accelerator>> accelerator_rules();
std::span<const MachineRule<Cluster>> cluster_rules();

/// What the rules find, in their order; of each key the first, and none that another explains.
std::vector<MachineFault> faults_of(const Accelerator&);
std::vector<MachineFault> faults_of(const Cluster&);

}  // namespace validation
}  // namespace tofn
