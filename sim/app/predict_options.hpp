#pragma once

#include <string>

#include "sim/options/command_line.hpp"

namespace tofn {
inline namespace app {

/// Of `tofn predict` of whatever: options that a kind of job does not have are refused with why.
CommandLine predict_command_line();

/// InputErrors with an example where they were not given.
std::string needed_job(const options::variables_map&);
std::string needed_cluster(const options::variables_map&);

/// Predictions of a workload and of a model; they return the exit code.
CommandAnswer predict_workload(const options::variables_map&);
CommandAnswer predict_model(const options::variables_map&);

}  // namespace app
}  // namespace tofn
