#pragma once

#include "sim/cluster/cluster.hpp"
#include "sim/options/command_line.hpp"

namespace tofn {
inline namespace app {

/// Row of `--times`, which multiplies figures of a cluster's file.
CommandOption what_if_row();

/// Changes the cluster's figures by `--times`, and reports each change. InputError with the valid
/// figures if one is unknown.
Cluster with_requested_figures(const options::variables_map&, Cluster);

}  // namespace app
}  // namespace tofn
