#pragma once

#include "sim/app/command.hpp"

namespace tofn {

/// Adds the options of `tofn step MODEL CLUSTER`.
void add_simulation_options(options::options_description&);

/// Simulates a step of a model on one or more numbers of accelerators; returns the exit code.
int simulate_model(const options::variables_map&, const CommonOptions&);

}  // namespace tofn
