#pragma once

#include "sim/blocks/formats.hpp"

namespace tofn {
inline namespace blocks {

/// An SQLite database with one table `points`; the same bytes for the same rows and the same
/// library. See OutputFormat::write.
bool write_sqlite(const std::filesystem::path& csv, std::span<const OutputColumn> columns,
                  const std::filesystem::path& to, const std::function<bool()>& is_stopped);

}  // namespace blocks
}  // namespace tofn
