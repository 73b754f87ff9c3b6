#pragma once

#include "sim/cluster/accelerator.hpp"
#include "sim/parallelism/run_settings.hpp"

namespace tofn {
inline namespace parallelism {

/// Of what a run asks to capture, what the chip can: all on NVIDIA's and on AMD's, whose HIP graphs
/// are the same; nothing on others.
CudaGraphs captured_graphs(CudaGraphs asked, const Accelerator&);

}  // namespace parallelism
}  // namespace tofn
