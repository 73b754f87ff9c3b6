#pragma once

#include <string>
#include <vector>

#include "sim/core/records.hpp"
#include "sim/validation/detection.hpp"

namespace tofn {
inline namespace report {

/// What is found of made-up faults at several rates of false alarms.
std::string detection_text(const std::vector<DetectionTrial>&);

Records detection_records(const std::vector<DetectionTrial>&);

}  // namespace report
}  // namespace tofn
