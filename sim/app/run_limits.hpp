#pragma once

#include <vector>

#include "sim/options/command_line.hpp"
#include "sim/training/run_limit.hpp"

namespace tofn {
inline namespace app {

/// Rows of `--deadline`, `--budget`, `--energy` and `--carbon`.
CommandOptions limit_rows();

/// What the run may take at most, of those that were given.
std::vector<RunLimit> limits_of(const options::variables_map&);

/// The same of runs on one cluster. InputError at a budget where no price is known, or at a price
/// term that the cluster lacks.
std::vector<RunLimit> answerable_limits(const options::variables_map&, const Cluster&,
                                        const ExpenseOptions&);

}  // namespace app
}  // namespace tofn
