#pragma once

#include "sim/app/command.hpp"

namespace tofn {

/// Adds the options of `tofn step MODEL CLUSTER`.
void add_simulation_options(options::options_description&);

/// The same of a workload, from measured runs: `tofn step WORKLOAD CLUSTER`.
int run_calibrated_step(const std::vector<std::string>& words);

/// Simulates a step of a model on one or more numbers of accelerators; returns the exit code.
int simulate_model(const options::variables_map&, const CommonOptions&);

}  // namespace tofn
