#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/cluster/cluster.hpp"

namespace tofn {
inline namespace diagnosis {

/// A fault of one value of a file.
struct MachineFault {
  std::string_view key;  ///< dotted: `network.nic_bandwidth`
  std::string problem;
  bool is_impossible = false;  ///< false: unlikely, because units were confused or it is new
};

/// Rule for a figure of a machine, in `unit`. It lies from `least` to `most` over configs/ (a test
/// checks this), and is a fault if it lies outside by more than a factor of `margin`.
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
  std::string_view hint;        ///< mistake that gives such a figure
  std::string_view rests_on{};  ///< another key, whose fault would explain this one
};

std::span<const MachineRule<Accelerator>> accelerator_rules();
std::span<const MachineRule<Cluster>> cluster_rules();

/// Faults that the rules find, in their order: the first of each key, without those that another
/// fault explains.
std::vector<MachineFault> faults_of(const Accelerator&);
std::vector<MachineFault> faults_of(const Cluster&);

}  // namespace diagnosis
}  // namespace tofn
