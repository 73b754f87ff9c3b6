#pragma once

#include <filesystem>

#include "sim/core/record.hpp"

namespace tofn {
inline namespace config {

/// Reads what to_json(Record) writes, and refuses what contradicts itself: samples that do not have
/// the stated median, intervals that do not hold it, a point measured twice, a bandwidth that is
/// not size / time x bus_factor. Mistakes are InputErrors at file, line and column.
Record load_record(const std::filesystem::path&);

}  // namespace config
}  // namespace tofn
