#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tofn {
inline namespace blocks {

/// Cells of one line of CSV (RFC 4180 quotes, no line breaks in cells), without their quotes.
std::vector<std::string> csv_cells(std::string_view line);

/// Calls `use` with the cells of every row after the header, in constant memory. Polls
/// `is_stopped`, and returns false once that returns true. Throws InputError `X: cannot be read`.
bool for_each_csv_row(const std::filesystem::path& csv, const std::function<bool()>& is_stopped,
                      const std::function<void(const std::vector<std::string>& cells)>& use);

}  // namespace blocks
}  // namespace tofn
