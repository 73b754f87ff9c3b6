#pragma once

#include <filesystem>
#include <string>

#include "sim/config/library.hpp"
#include "sim/config/load_calibration.hpp"
#include "sim/evidence/knowledge.hpp"

namespace tofn {
inline namespace evidence {

/// A name of calibrations/, or a .yaml file.
CollectiveCalibration find_calibration(const std::filesystem::path& configs,
                                       const std::string& name_or_file);

/// The cluster, answering from a calibration (a name of calibrations/, or a .yaml file) where that
/// has measured. A calibration of another cluster is carried over by the formulas' ratio between
/// the two: what if this machine had that network? InputError where a table of it is impossible.
Cluster measured_cluster(const Cluster&, Library&, const std::filesystem::path& configs,
                         const std::string& calibration);

/// The shipped calibration of a cluster that measured a collective on as many ranks, which fill its
/// nodes in order, at sizes on both sides of this one: of several the one with the most of them,
/// then the last by name, which is of a later release. Empty where none did.
std::string calibration_of(const Knowledge&, const Cluster&, CollectiveKind, int ranks, Bytes size);

}  // namespace evidence
}  // namespace tofn
