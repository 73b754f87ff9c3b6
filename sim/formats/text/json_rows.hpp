#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "sim/core/error.hpp"
#include "sim/core/rows.hpp"

namespace tofn {
inline namespace formats {

/// Reads a table from JSON: an array of objects, JSON Lines, the `rows` of an answer of tofn, or
/// the `traceEvents` of a Chrome trace. Columns are in order of first appearance; a key within an
/// object is `object.key`. Missing cells and null are empty. InputError with its place if the text
/// is none of these.
Records json_rows(std::string_view text, const std::string& file);

/// Returns line and column, from 1, of the byte where a JSON parser stopped, counted from 1 as
/// well.
Location place_of_byte(std::string_view text, const std::string& file, std::size_t byte);

/// Returns the first place where a text is not JSON; absent if it is.
std::optional<Location> json_fault(std::string_view text, const std::string& file);

/// Returns the texts and numbers of a JSON object by key, numbers as text; empty if the file is
/// missing or contains no object.
std::map<std::string, std::string> json_texts(const std::filesystem::path&);

}  // namespace formats
}  // namespace tofn
