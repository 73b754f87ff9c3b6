#pragma once

#include "sim/cluster/accelerator.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/layer_work.hpp"

namespace tofn {
inline namespace kernel {

/// Time on the device of all `count` of the kernel, one after the other. A product runs as waves of
/// the best of the libraries' tile shapes, and is never faster than its traffic. Attention with
/// `bytes` is a fused kernel: the longer of its products and its traffic. Routing, and experts that
/// are not equally busy, lengthen routed kernels. `is_captured`: it starts within a graph.
Seconds kernel_time(const Kernel&, PassPrecision, const Accelerator&, const KernelProfile&,
                    bool is_captured = false);

/// Elements in rows of a product that are no multiple of 16 bytes, which lengthen it by
/// `unaligned_factor` or `unaligned_heads_factor`; 0 if there are none.
double unaligned_rows(const Kernel&, PassPrecision);

/// Time of large products in 16 bits, without regard to their shapes.
Seconds product_time(Flops, const Accelerator&, const KernelProfile&);

/// Time of a kernel that only moves bytes.
Seconds memory_time(Bytes, const Accelerator&, const KernelProfile&);

}  // namespace kernel
}  // namespace tofn
