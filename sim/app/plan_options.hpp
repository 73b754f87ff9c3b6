#pragma once

#include <filesystem>

#include "sim/config/load_plan.hpp"
#include "sim/options/command_line.hpp"

namespace tofn {

/// Adds one option for each way that a plan can split a step: `--tp`, `--recompute`, ...
void add_plan_options(options::options_description&);

/// The plan of `--plan`, or the unsplit one, with what the other options say in its place.
PlanFile plan_of(const options::variables_map&, const std::filesystem::path& configs);

}  // namespace tofn
