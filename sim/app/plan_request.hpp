#pragma once

#include <string>
#include <vector>

#include "sim/answers/plan_answer.hpp"
#include "sim/config/library.hpp"
#include "sim/options/command_line.hpp"

namespace tofn {
inline namespace app {

/// Machines that may be had, of each cluster and price term that is asked for, in whole units
/// (`--whole`); without clusters all that have a price. InputError where a cluster has no size that
/// is asked for.
std::vector<Offer> offers_of(const options::variables_map&, Library&);

/// The command that predicts the candidate that is shown: the options of this one but for those
/// that chose it, with what was chosen; as a shell reads it.
std::string again(const options::variables_map&, const RunSearch&, const RunChoice&);

}  // namespace app
}  // namespace tofn
