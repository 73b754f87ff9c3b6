#pragma once

#include <vector>

#include "microbench/compute/processor.hpp"
#include "microbench/harness/lab.hpp"

namespace tofn::bench {

/// Collective: bandwidth of the processor's memory, every rank at the same time. Sizes are bytes
/// of all buffers of a pattern together, each moved once a call.
void run_memory(Lab&, Processor&, const std::vector<double>& sizes);

/// Collective: seconds that starting an empty kernel takes; nothing on a processor that starts
/// none.
void run_launches(Lab&, Processor&);

}  // namespace tofn::bench
