#pragma once

#include <string_view>

#include "sim/model/model.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace model {

/// InputError with the broken rule if the plan does not divide the model.
void check_plan_fits(const Model&, const Plan&);

// Rules of single parts (`check_fit`). Their InputErrors name the model.
void require(bool holds, const Model&, std::string_view rule);
void require_divides(std::string_view size_name, double size, std::string_view name, double whole,
                     const Model&);

}  // namespace model
}  // namespace tofn
