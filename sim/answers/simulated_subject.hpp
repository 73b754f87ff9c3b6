#pragma once

#include "sim/answers/scale_subject.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/model.hpp"

namespace tofn {

/// A model whose steps are simulated from its dimensions, as `tofn step` does.
ScaleSubject simulated_subject(const Model&, const Cluster&, const KernelProfile&, const PlanFile&);

}  // namespace tofn
