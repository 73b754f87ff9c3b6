#pragma once

#include <memory>
#include <optional>
#include <string>

#include "microbench/harness/monitor.hpp"

namespace tofn::bench {

/// Watches the GPU at this PCI address through NVML, the library of NVIDIA's driver. Clocks are in
/// MHz, temperature in degrees Celsius; power in W is the driver's mean over up to a second.
/// `is_throttled_highest` is 1 if heat or a power brake slowed the GPU down;
/// `is_at_power_cap_highest` is 1 if its power limit did, which is normal under a load of products.
/// Null if there is no NVML, or if the GPU does not answer every question.
std::unique_ptr<Monitor> nvml_monitor(const std::string& bus_id);

/// Version of the driver, such as `580.159.04`; absent without NVML.
std::optional<std::string> nvidia_driver();

}  // namespace tofn::bench
