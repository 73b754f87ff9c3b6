#pragma once

#include "sim/model/model.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace model {

/// Refuses a plan that does not divide the model, with the rule that it breaks.
void check_plan_fits(const Model&, const Plan&);

}  // namespace model
}  // namespace tofn
