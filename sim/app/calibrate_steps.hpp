#pragma once

#include <filesystem>

#include "sim/app/command.hpp"

namespace tofn {

/// `--steps` and what goes with it.
void add_step_options(options::options_description&);

/// The file that calibrate writes. InputError unless it is a .yaml.
std::filesystem::path profile_output(const CommonOptions&);

/// `tofn calibrate --steps`: logs of training -> a step profile, and what its fit says.
int calibrate_steps(const options::variables_map&, CommonOptions);

}  // namespace tofn
