#pragma once

#include <string>
#include <vector>

#include "microbench/compute/processor.hpp"
#include "microbench/compute/shape.hpp"
#include "microbench/harness/lab.hpp"

namespace tofn::bench {

/// Collective: every rank multiplies at the same time, as in training; a table of the types over
/// the shapes. What this machine cannot hold or finish in time is left out with the reason.
void run_gemms(Lab&, Processor&, const std::vector<std::string>& types,
               const std::vector<GemmShape>& shapes);

}  // namespace tofn::bench
