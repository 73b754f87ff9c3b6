#pragma once

#include <memory>
#include <string>

#include "microbench/compute/processor.hpp"

namespace tofn::bench {

/// The cores of this host that OpenBLAS uses (OPENBLAS_NUM_THREADS). `ranks_on_host` ranks share
/// the host's memory.
std::unique_ptr<Processor> cpu_processor(int ranks_on_host);

/// Library, cores and threads: `OpenBLAS 0.3.21, Zen, 2 threads`
std::string blas_library();

}  // namespace tofn::bench
