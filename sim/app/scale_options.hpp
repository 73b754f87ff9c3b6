#pragma once

#include <vector>

#include "sim/answers/scale_answer.hpp"
#include "sim/cluster/cluster.hpp"
#include "sim/options/command_line.hpp"

namespace tofn {
inline namespace app {

CommandLine scale_command_line();

/// All but the sizes. InputError at an option that is out of range.
ScaleRequest read_scale_request(const options::variables_map&);

/// Sizes asked for; else one node (or one replica, where that is more) and its doublings.
std::vector<int> scale_sizes(const options::variables_map&, const Cluster&, int model_parallel);
/// The latter.
std::vector<int> default_scale_sizes(const Cluster&, int model_parallel);

}  // namespace app
}  // namespace tofn
