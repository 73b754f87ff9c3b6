#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/model.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace simulation {

/// Returns the model with the stack's defaults for how it runs and is kept. Selective
/// recomputation and the bytes held for the loss come from the stack only if the model does not
/// state them.
Model as_run_by(const StackDefaults&, Model);

/// Returns the plan with the stack's defaults, except for rows of `visit_plan` that are stated, by
/// name. Fields without an effect on the plan stay.
Plan as_run_by(const StackDefaults&, Plan, const std::function<bool(std::string_view)>& is_stated);

/// Returns the same with only those defaults that run on the chip.
Plan as_run_by(const StackDefaults&, Plan, const Accelerator&,
               const std::function<bool(std::string_view)>& is_stated);

/// Returns the plan at the precision that the chip computes in, if it lacks the requested one, and
/// with the exchange of tokens that runs on the chip. Kept and sent bytes follow from these.
Plan computed_plan(Plan, const Model&, const Accelerator&);

/// CUDA graphs of a step on the chip: those that the plan requests; on chips without graphs, those
/// that the stack compiles.
CudaGraphs run_graphs(const StackDefaults&, CudaGraphs request, const Accelerator&);

/// Words that follow the stack's name and say which option of the plan it cannot run; empty if
/// none.
std::string cannot_run(const StackDefaults&, const Plan&);

}  // namespace simulation
}  // namespace tofn
