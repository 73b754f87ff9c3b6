#pragma once

#include <memory>
#include <optional>
#include <string>

#include "microbench/harness/monitor.hpp"

namespace tofn::bench {

/// Watches the GPU at this PCI address through NVML, the library of NVIDIA's driver. Clocks are in
/// MHz, temperature in degrees Celsius; power in W is the driver's mean over up to a second;
/// `is_throttled_highest` is 1 where heat or a power brake slowed it down,
/// `is_at_power_cap_highest` where the power that it may draw did, as under a load of products it
/// should. nullptr where there is no NVML, or the GPU does not answer all of its questions.
std::unique_ptr<Monitor> nvml_monitor(const std::string& bus_id);

/// `580.159.04`; absent where there is no NVML.
std::optional<std::string> nvidia_driver();

}  // namespace tofn::bench
