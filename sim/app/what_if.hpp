#pragma once

#include "sim/cluster/cluster.hpp"
#include "sim/options/command_line.hpp"

namespace tofn {
inline namespace app {

/// Row of `--times`: figures of a cluster's file other than they are.
CommandOption what_if_row();

/// The cluster with them, each said. InputError with the figures that it has where one is not
/// there.
Cluster with_asked_figures(const options::variables_map&, Cluster);

}  // namespace app
}  // namespace tofn
