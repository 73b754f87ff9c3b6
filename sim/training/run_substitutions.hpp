#pragma once

#include <string>
#include <vector>

#include "sim/training/run.hpp"

namespace tofn {

/// What takes the place of what a run asks for and its machine lacks, a sentence each.
std::vector<std::string> substitutions(const RunDescription&);
/// With what the cluster's calibration lacks.
std::vector<std::string> substitutions(const RunModel&);

}  // namespace tofn
