#pragma once

#include "sim/cluster/accelerator.hpp"
#include "sim/parallelism/run_settings.hpp"

namespace tofn {
inline namespace parallelism {

/// Returns the part of the requested graphs that the chip can capture: all on NVIDIA's chips and on
/// AMD's, whose HIP graphs are the same; none on others.
CudaGraphs captured_graphs(CudaGraphs request, const Accelerator&);

}  // namespace parallelism
}  // namespace tofn
