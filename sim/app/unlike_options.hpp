#pragma once

#include <functional>
#include <string>

#include "sim/options/command_line.hpp"
#include "sim/simulation/job_hardware.hpp"

namespace tofn {

/// Adds the options that say which nodes of a job are not as the others.
void add_unlike_options(options::options_description&);

/// What they say; `cluster_named` finds the other cluster. InputError where an option needs another
/// or is none of its values.
UnlikeNodes unlike_nodes_of(const options::variables_map&,
                            const std::function<Cluster(const std::string&)>& cluster_named);

}  // namespace tofn
