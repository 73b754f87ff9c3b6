#pragma once

#include <filesystem>
#include <string>

#include "sim/config/library.hpp"
#include "sim/config/load_calibration.hpp"
#include "sim/evidence/knowledge.hpp"

namespace tofn {
inline namespace evidence {

/// Loads a calibration by its name in calibrations/ or its .yaml file.
CollectiveCalibration find_calibration(const std::filesystem::path& configs,
                                       const std::string& name_or_file);

/// The cluster with a calibration's measurements (a name of calibrations/, or a .yaml file) where
/// it has them. Those of another cluster are scaled by the ratio of the formulas between the two:
/// what if this machine had that network? InputError if a table of it is impossible.
Cluster measured_cluster(const Cluster&, Library&, const std::filesystem::path& configs,
                         const std::string& calibration);

/// Name of the shipped calibration of a cluster that measured a collective on the same number of
/// ranks, which fill its nodes in order. Of several it is the one that measured nearest to `size`,
/// then the one with the most sizes, then the last by name, which is of a later release. Empty if
/// there is none.
std::string calibration_of(const Knowledge&, const Cluster&, CollectiveKind, int ranks, Bytes size);

}  // namespace evidence
}  // namespace tofn
