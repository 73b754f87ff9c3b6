#pragma once

#include <string>
#include <vector>

#include "sim/core/records.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {

/// `64 x H100 SXM (dgx-h100)`, of a mixed job both kinds.
std::string hardware_words(const SimulatedStep&);

/// A line for each kind of accelerator of a mixed job: what it holds, how long it is busy, how fast
/// it would be alone, its fullest stage; then which one the other waits for. Empty where all are
/// alike.
std::string kinds_text(const SimulatedStep&);

/// The same for machines: names of the cells, and the cells, without values where all are alike.
std::vector<std::string> kinds_columns();
std::vector<Value> kinds_cells(const SimulatedStep&);

}  // namespace tofn
