#pragma once

#include <span>
#include <vector>

#include "sim/simulation/fit_efficiency.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace simulation {

/// Of the job that the stack knows a measured step of, the measurement; of others what is told of
/// it.
void take_measured(SimulatedStep&, const KernelProfile&);

/// The job of a measured step, whose answer is the measurement. `known`: the stack that the step
/// sharpened. The measurement counts as far as it is sharper than what no figure explains of the
/// job's run and plan: the mean of two normal values by their precision.
MeasuredJob measured_job(const StepCase& seen, const KernelProfile& known,
                         const Discrepancy& unexplained);
/// The jobs of measured steps by the stack that these sharpened; of a job that was measured more
/// than once the mean by precision, as equal runs differ too.
std::vector<MeasuredJob> measured_jobs(std::span<const StepCase>, const KernelProfile& known);
/// Puts it in the place of what the stack knows of the same job.
void know_job(KernelProfile&, MeasuredJob);

}  // namespace simulation
}  // namespace tofn
