#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/curves/collective_table.hpp"

namespace tofn {
inline namespace config {

/// Measured collectives of one machine, from a file of calibrations/.
struct CollectiveCalibration {
  std::string name;
  std::string description;
  std::string machine;  ///< accelerator and network, in words
  std::string cluster;  ///< its name in clusters/; may be empty
  /// Words for the parts of the formulas that were chosen from these tables, which are therefore no
  /// independent test of them. Empty: none (ramps are fitted without the laboratory that is
  /// scored).
  std::string sets{};
  std::vector<CollectiveTable> tables;
};

/// Reads a file of calibrations/. Mistakes are InputErrors with file, line and column.
CollectiveCalibration load_calibration(const std::filesystem::path&);

/// Writes text that `load_calibration` reads back unchanged; times have 15 digits, which is all
/// that a log prints.
std::string to_yaml(const CollectiveCalibration&);

}  // namespace config
}  // namespace tofn
