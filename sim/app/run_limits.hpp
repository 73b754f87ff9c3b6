#pragma once

#include <vector>

#include "sim/options/command_line.hpp"
#include "sim/training/run_limit.hpp"

namespace tofn {
inline namespace app {

/// Rows of `--deadline`, `--budget`, `--energy` and `--carbon`.
CommandOptions limit_rows();

/// InputError if one of these options is given, which are of whole runs.
void refuse_of_whole_runs(const options::variables_map&, const CommandOptions&);

/// Upper limits of the run that options state.
std::vector<RunLimit> limits_of(const options::variables_map&);

/// Limits of runs on one cluster. InputError if there is a budget and the cluster has no price, or
/// no price for the requested term.
std::vector<RunLimit> answerable_limits(const options::variables_map&, const Cluster&,
                                        const ExpenseOptions&);

}  // namespace app
}  // namespace tofn
