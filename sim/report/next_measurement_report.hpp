#pragma once

#include <string>

#include "sim/answers/choice_uncertainty.hpp"
#include "sim/answers/sensitivity_answer.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Table of the measurements that would narrow the interval of a time, best first, with how each is
/// made; one line if nothing is uncertain.
std::string next_measurement_text(const TimeUncertainties&);
/// One row a measurement.
ExplainedRecords next_measurement_records(const TimeUncertainties&);

/// Table of the measurements that would make a choice surer, best first, with the chance today; one
/// line if none would. Null: there is no runner-up.
std::string choice_measurement_text(const ChoiceUncertainty*);
/// One row a measurement.
ExplainedRecords choice_measurement_records(const ChoiceUncertainty&);

}  // namespace report
}  // namespace tofn
