#pragma once

#include <string>
#include <vector>

#include "sim/answers/run_point.hpp"
#include "sim/core/records.hpp"
#include "sim/options/command_line.hpp"

namespace tofn {
inline namespace app {

/// Of `tofn predict` of whatever: options that a kind of job does not have are refused with why.
CommandLine predict_command_line();

/// What `--table` has csv and json hold.
enum class PredictTable { Points, Phases, Stages, Passes, Spans };
PredictTable predict_table_of(const options::variables_map&);
/// Whether that table is of one step, whose rows it then gives.
bool is_of_step(PredictTable);
Records step_table_of(PredictTable, const std::vector<RunPoint>&);

/// InputErrors with an example where they were not given.
std::string needed_job(const options::variables_map&);
std::string needed_cluster(const options::variables_map&);

/// Predictions of a workload and of a model; they return the exit code.
CommandAnswer predict_workload(const options::variables_map&);
CommandAnswer predict_model(const options::variables_map&);

}  // namespace app
}  // namespace tofn
