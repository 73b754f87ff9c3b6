#pragma once

#include <string>
#include <vector>

#include "sim/report/records.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {

/// `64 x H100 SXM (dgx-h100)`, of a mixed job both kinds.
std::string hardware_words(const SimulatedStep&);

/// A line for each kind of accelerator of a mixed job: what it holds, how long it is busy, how fast
/// it would be alone, its fullest stage; then which one the other waits for. Empty where all are
/// alike.
std::string kinds_text(const SimulatedStep&);

/// The same for machines, empty where all are alike.
Columns<SimulatedStep> kinds_columns();

}  // namespace tofn
