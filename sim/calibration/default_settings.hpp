#pragma once

#include <vector>

#include "sim/training/run.hpp"

namespace tofn {
inline namespace calibration {

/// Fills in settings that rows do not state: the precision most common for the workload and
/// accelerator, and FP8 attention as most common for them and the split.
std::vector<Observation> with_default_settings(const std::vector<Observation>&);

}  // namespace calibration
}  // namespace tofn
