#pragma once

#include <vector>

#include "microbench/collective/backend.hpp"
#include "microbench/compute/processor.hpp"
#include "microbench/harness/lab.hpp"
#include "microbench/step/problem.hpp"

namespace tofn::bench {

/// Measures the step on the first 1, 2, ... ranks (each number of `ranks`) in every mode. This is
/// weak scaling: every rank has its own samples. Prints T(N), its efficiency and the share of the
/// communication that the backward pass hides. Collective.
void run_step_study(Lab&, Processor&, Backend*, const StepProblem&, const std::vector<int>& ranks);

}  // namespace tofn::bench
