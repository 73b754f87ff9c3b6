#pragma once

#include "sim/cluster/cluster.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/model.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/simulation/slow_node.hpp"
#include "sim/timeline/step_work.hpp"

namespace tofn {

/// What one rank of each pipeline stage does in a step, in seconds. InputError where the plan does
/// not divide the model or the job needs a network that the cluster lacks. With a slow node: of the
/// replica that it is in.
StepWork step_work(const Model&, const Plan&, const Cluster&, const KernelProfile&,
                   const SlowNode& = {});

}  // namespace tofn
