#pragma once

#include <optional>

#include "sim/cluster/cluster.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/model.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/timeline/step_work.hpp"

namespace tofn {

/// A step that somebody ran, and how long it took where they say so.
struct StepCase {
  Model model;
  Plan plan;
  Cluster cluster;
  std::optional<Seconds> measured;
};

/// InputError where the plan does not divide the model.
StepTimes step_times(const StepCase&, const KernelProfile&);

}  // namespace tofn
