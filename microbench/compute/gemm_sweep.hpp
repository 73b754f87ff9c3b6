#pragma once

#include <string>
#include <vector>

#include "microbench/compute/processor.hpp"
#include "microbench/compute/shape.hpp"
#include "microbench/harness/lab.hpp"

namespace tofn::bench {

/// Measures products on all ranks at the same time, as in training; a table of the types over the
/// shapes. Prints what this machine cannot hold or finish in time, with the reason. Collective.
void run_gemms(Lab&, Processor&, const std::vector<std::string>& types,
               const std::vector<GemmShape>& shapes);

}  // namespace tofn::bench
