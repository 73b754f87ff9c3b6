#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/core/quantity.hpp"

namespace tofn {
inline namespace starter {

/// An accelerator as the machine calls it.
struct SeenAccelerator {
  std::string name;
  std::string from;  ///< what says so: NVML, a driver's file, the list of PCI devices
};

/// The ports of one kind and rate that leave the machine.
struct SeenPorts {
  int count = 0;
  BytesPerSecond bandwidth{};  ///< of each and direction
  std::string kind;            ///< as a cluster's file names it: infiniband, roce, ethernet
  std::string from;
};

/// What a machine shows of itself. What it does not show is empty or 0.
struct SeenMachine {
  std::string host;
  std::vector<SeenAccelerator> accelerators{};
  SeenPorts ports{};
};

/// Reads sysfs, procfs and the list of PCI names below `root`; of `/` NVML is asked too.
SeenMachine seen_machine(const std::filesystem::path& root);

/// The names of NVIDIA's devices by their driver's library; none without a driver.
std::vector<SeenAccelerator> nvml_accelerators();

}  // namespace starter
}  // namespace tofn
