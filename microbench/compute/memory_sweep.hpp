#pragma once

#include <vector>

#include "microbench/compute/processor.hpp"
#include "microbench/harness/lab.hpp"

namespace tofn::bench {

/// Measures memory bandwidth on all ranks at the same time. Sizes are bytes of all buffers of a
/// pattern together, each moved once per call. Collective.
void run_memory(Lab&, Processor&, const std::vector<double>& sizes);

/// Measures the seconds to start an empty kernel; does nothing on a processor without kernel
/// launches. Collective.
void run_launches(Lab&, Processor&);

}  // namespace tofn::bench
