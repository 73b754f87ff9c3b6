#pragma once

#include <span>
#include <vector>

#include "sim/simulation/fit_efficiency.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace simulation {

/// Adds the notes of the stack's measured jobs to the step, and sets the step to its measured time
/// if the same job was measured.
void take_measured(SimulatedStep&, const KernelProfile&);

/// The job of a measured step, whose answer combines measurement and prediction. `known`: the stack
/// after its update with the step. The measurement counts by its precision against the unexplained
/// error of the job's run and plan: the mean of two normal values, weighted by precision.
MeasuredJob measured_job(const StepCase& seen, const KernelProfile& known,
                         const Discrepancy& unexplained);
/// The jobs of measured steps, under the stack after its update with them. A job measured more than
/// once gets the mean weighted by precision, because equal runs also differ.
std::vector<MeasuredJob> measured_jobs(std::span<const StepCase>, const KernelProfile& known);
/// Adds the job to the stack, and replaces an earlier entry of the same job.
void know_job(KernelProfile&, MeasuredJob);

}  // namespace simulation
}  // namespace tofn
