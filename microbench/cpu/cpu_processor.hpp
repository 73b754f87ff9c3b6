#pragma once

#include <memory>
#include <string>

#include "microbench/compute/processor.hpp"

namespace tofn::bench {

/// The cores of this host, as many as OpenBLAS takes: its threads, OPENBLAS_NUM_THREADS.
/// The host's memory is shared by so many ranks.
std::unique_ptr<Processor> cpu_processor(int ranks_on_host);

/// `OpenBLAS 0.3.21, Zen, 2 threads`
std::string blas_library();

}  // namespace tofn::bench
