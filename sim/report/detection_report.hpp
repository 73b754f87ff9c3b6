#pragma once

#include <string>
#include <vector>

#include "sim/answers/slow_cases_answer.hpp"
#include "sim/core/records.hpp"
#include "sim/validation/detection.hpp"

namespace tofn {
inline namespace report {

/// What is found of made-up faults at several rates of false alarms.
std::string detection_text(const std::vector<DetectionTrial>&);
/// Published tables whose cause is known, and what their times say.
std::string slow_cases_text(const std::vector<SlowCase>&);
/// Of each cause made up, how often it is named.
std::string causes_text(const std::vector<CauseTrial>&);

/// One row a trial; `cause` and `told` of those with a cause.
Records detection_records(const std::vector<DetectionTrial>&, const std::vector<CauseTrial>&);

}  // namespace report
}  // namespace tofn
