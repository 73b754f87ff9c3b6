#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/core/quantity.hpp"

namespace tofn {
inline namespace starter {

/// An accelerator as the machine names it.
struct SeenAccelerator {
  std::string name;
  std::string from;  ///< source of the name: NVML, a driver's file, the list of PCI devices
};

/// Ports of one kind and rate that leave the machine.
struct SeenPorts {
  int count = 0;
  BytesPerSecond bandwidth{};  ///< of each port and direction
  std::string kind;            ///< as in a cluster's file: infiniband, roce, ethernet
  std::string from;
};

/// Hardware that a machine shows; members that it does not show are empty or 0.
struct SeenMachine {
  std::string host;
  std::vector<SeenAccelerator> accelerators{};
  SeenPorts ports{};
};

/// Reads sysfs, procfs and the list of PCI names below `root`; for `/` it also asks NVML.
SeenMachine seen_machine(const std::filesystem::path& root);

/// Names of NVIDIA's devices from their driver's library; empty without a driver.
std::vector<SeenAccelerator> nvml_accelerators();

}  // namespace starter
}  // namespace tofn
