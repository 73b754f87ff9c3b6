#pragma once

#include <string>
#include <vector>

#include "sim/core/records.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {

/// The breakdown of one step: its parts, bottleneck with evidence, and the memory of the fullest
/// stage.
std::string step_text(const SimulatedStep&);
/// One line for each of several numbers of accelerators.
std::string step_table_text(const std::vector<SimulatedStep>&);
/// One row a step: plan, time with its interval, every part, MFU, bottleneck, memory.
Records step_records(const std::vector<SimulatedStep>&);

/// Where two steps differ, part by part; the parts sum to the difference.
std::string step_difference_text(const SimulatedStep& from, const SimulatedStep& to,
                                 const std::vector<Change>&);

}  // namespace tofn
