#pragma once

#include "sim/blocks/formats.hpp"

namespace tofn {
inline namespace blocks {

/// JSON Lines: an object a row, keys in the order of the columns; numbers as the CSV has them, null
/// where a cell is empty or a number is not finite. See OutputFormat::write.
bool write_jsonl(const std::filesystem::path& csv, std::span<const OutputColumn> columns,
                 const std::filesystem::path& to, const std::function<bool()>& is_stopped);

}  // namespace blocks
}  // namespace tofn
