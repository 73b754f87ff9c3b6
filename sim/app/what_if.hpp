#pragma once

#include "sim/app/command.hpp"
#include "sim/cluster/cluster.hpp"
#include "sim/config/library.hpp"
#include "sim/options/command_line.hpp"

namespace tofn {
inline namespace app {

/// Row of `--times`, which multiplies figures of a cluster's file.
CommandOption what_if_row();

/// The cluster with the measured collectives of `--calibration`, if it is given.
Cluster with_requested_calibration(const options::variables_map&, const CommonOptions&, Library&,
                                   const Cluster&);

/// The cluster of that name with those collectives and the figures of `--times`.
Cluster requested_cluster(const options::variables_map&, const CommonOptions&, Library&,
                          const std::string& name);
/// Changes the cluster's figures by `--times`, and reports each change. Measured collectives then
/// change by the formulas' ratio. InputError with the valid figures if one is unknown.
Cluster with_requested_figures(const options::variables_map&, Cluster);

}  // namespace app
}  // namespace tofn
