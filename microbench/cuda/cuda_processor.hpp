#pragma once

#include <memory>

#include "microbench/compute/processor.hpp"
#include "microbench/cuda/device.hpp"

namespace tofn::bench {

/// Computes on the stream of the device, which must outlive it; its kernels must not outlive it.
std::unique_ptr<Processor> cuda_processor(Device&);

}  // namespace tofn::bench
