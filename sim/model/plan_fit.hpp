#pragma once

#include <string_view>

#include "sim/model/model.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace model {

/// Refuses a plan that does not divide the model, with the rule that it breaks.
void check_plan_fits(const Model&, const Plan&);

// Rules of single parts (`check_fit`): InputErrors that name the model.
void require(bool holds, const Model&, std::string_view rule);
void require_divides(std::string_view size_name, double size, std::string_view name, double whole,
                     const Model&);

}  // namespace model
}  // namespace tofn
