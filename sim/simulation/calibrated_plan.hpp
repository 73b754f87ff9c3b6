#pragma once

#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace simulation {

/// InputError that names the feature if the plan uses more than data, tensor and context
/// parallelism, because no such steps were measured.
void require_calibrated_plan(const Plan&);

}  // namespace simulation
}  // namespace tofn
