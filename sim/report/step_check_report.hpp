#pragma once

#include <string>

#include "sim/answers/step_check_answer.hpp"
#include "sim/core/records.hpp"

namespace tofn {
inline namespace report {

/// What similar jobs reach, where this one stands, and the causes that fit.
std::string step_check_text(const StepCheckAnswer&);
/// A row a cause, each with the verdict; one row where there is none.
Records step_check_records(const StepCheckAnswer&);

}  // namespace report
}  // namespace tofn
