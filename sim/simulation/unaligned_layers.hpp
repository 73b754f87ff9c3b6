#pragma once

#include <string>
#include <vector>

#include "sim/cluster/accelerator.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/layer_work.hpp"

namespace tofn {
inline namespace simulation {

/// Sentences about layers with products whose rows are no multiple of 16 bytes: the cost they are
/// assumed to have.
std::vector<std::string> unaligned_layers(const Model&, const Plan&, const Accelerator&,
                                          const KernelProfile&);

}  // namespace simulation
}  // namespace tofn
