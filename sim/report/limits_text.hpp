#pragma once

#include <string>
#include <vector>

#include "sim/answers/run_point.hpp"
#include "sim/training/run_limit.hpp"

namespace tofn {
inline namespace report {

/// Text such as `20.00 days and 500k USD`.
std::string limits_text(const std::vector<RunLimit>&);

/// Line `limits`: the chance of each size to keep them; empty without limits.
std::string chances_text(const std::vector<RunLimit>&, const std::vector<RunPoint>&);

}  // namespace report
}  // namespace tofn
