#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/model.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace simulation {

/// The model as the stack runs and keeps it, where it says; what is recomputed and held for the
/// loss, where the model does not.
Model as_run_by(const StackDefaults&, Model);

/// The plan as the stack runs it, but for rows of `visit_plan` that are stated, by name; what a
/// plan has no use for is left as it is.
Plan as_run_by(const StackDefaults&, Plan, const std::function<bool(std::string_view)>& is_stated);

/// What of a step is launched as one on the chip: what the plan asks for; on chips that have no
/// graphs, what the stack compiles.
CudaGraphs run_graphs(const StackDefaults&, CudaGraphs asked, const Accelerator&);

/// What of the plan the stack cannot run, in words that follow its name; empty: it runs it all.
std::string cannot_run(const StackDefaults&, const Plan&);

}  // namespace simulation
}  // namespace tofn
