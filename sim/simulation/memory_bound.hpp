#pragma once

#include <vector>

#include "sim/cluster/accelerator.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/layer_work.hpp"

namespace tofn {
inline namespace simulation {

/// Share of kernel time, 0 to 1, in kernels limited by memory bandwidth: matrix products that a
/// higher arithmetic rate would not shorten, and kernels that only move bytes.
double memory_bound_share(const std::vector<LayerWork>&, PassPrecision, const Accelerator&,
                          const KernelProfile&);

}  // namespace simulation
}  // namespace tofn
