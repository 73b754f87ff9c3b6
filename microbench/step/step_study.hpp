#pragma once

#include <vector>

#include "microbench/collective/backend.hpp"
#include "microbench/compute/processor.hpp"
#include "microbench/harness/lab.hpp"
#include "microbench/step/problem.hpp"

namespace tofn::bench {

/// Collective: the step on the first 1, 2, ... ranks (each number of `ranks`), in every mode, weak
/// scaling: every rank has its samples. Prints T(N), its efficiency and how much of the
/// communication the backward pass hid.
void run_step_study(Lab&, Processor&, Backend*, const StepProblem&, const std::vector<int>& ranks);

}  // namespace tofn::bench
