#pragma once

#include <filesystem>

#include "sim/core/record.hpp"

namespace tofn {
inline namespace config {

/// Reads the output of to_json(Record). InputError with file, line and column if it contradicts
/// itself: samples without the stated median, intervals that do not contain it, a point measured
/// twice, or a bandwidth that is not size / time x bus_factor.
Record load_record(const std::filesystem::path&);

}  // namespace config
}  // namespace tofn
