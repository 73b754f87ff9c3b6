#pragma once

#include "sim/cluster/accelerator.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/layer_work.hpp"

namespace tofn {
inline namespace kernel {

/// All `count` of the kernel, one after the other, on the device. A product runs as waves of tiles:
/// the best of the tile shapes that libraries have, never faster than its traffic. Attention with
/// `bytes`: a fused kernel, the longer of its products and its traffic. Routing, and experts that
/// are not equally busy, lengthen what is routed. `is_captured`: it starts within a graph.
Seconds kernel_time(const Kernel&, PassPrecision, const Accelerator&, const KernelProfile&,
                    bool is_captured = false);

/// Elements in those rows of a product that are no multiple of 16 bytes, which lengthens it by
/// `unaligned_factor` or `unaligned_heads_factor`; 0 where there are none.
double unaligned_rows(const Kernel&, PassPrecision);

/// Large products in 16 bits, whatever their shapes.
Seconds product_time(Flops, const Accelerator&, const KernelProfile&);

/// A kernel that only moves bytes.
Seconds memory_time(Bytes, const Accelerator&, const KernelProfile&);

}  // namespace kernel
}  // namespace tofn
