#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/measurements/collective_table.hpp"

namespace tofn {
inline namespace config {

/// Measured collectives of one machine: a file of calibrations/.
struct CollectiveCalibration {
  std::string name;
  std::string description;
  std::string machine;  ///< accelerator and network, in words
  std::string cluster;  ///< the one of clusters/ that it is; may be empty
  /// What of the formulas was read off its tables, in words: they are no blind test of that. Empty:
  /// nothing (ramps are fitted without the laboratory that is scored).
  std::string sets{};
  std::vector<CollectiveTable> tables;
};

/// Mistakes are InputErrors at file, line and column.
CollectiveCalibration load_calibration(const std::filesystem::path&);

/// What load_calibration reads back as it was; times to 15 digits, so all that a log prints.
std::string to_yaml(const CollectiveCalibration&);

}  // namespace config
}  // namespace tofn
