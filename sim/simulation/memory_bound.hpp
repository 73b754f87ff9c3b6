#pragma once

#include <vector>

#include "sim/cluster/accelerator.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/layer_work.hpp"

namespace tofn {
inline namespace simulation {

/// Share of the kernels' time that is spent in those which memory bandwidth bounds: products that
/// a higher rate of arithmetic would not shorten, and kernels that only move bytes. 0..1.
double memory_bound_share(const std::vector<LayerWork>&, PassPrecision, const Accelerator&,
                          const KernelProfile&);

}  // namespace simulation
}  // namespace tofn
