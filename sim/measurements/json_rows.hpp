#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sim/core/error.hpp"
#include "sim/core/rows.hpp"

namespace tofn {
inline namespace measurements {

/// A table from JSON: an array of objects, JSON Lines, the `rows` of an answer of tofn, or the
/// `traceEvents` of a trace of Chrome.
/// Columns in order of first appearance; a key within an object is `object.key`. What a row lacks,
/// and null, is nothing. InputError with its place where the text is none of these.
Records json_rows(std::string_view text, const std::string& file);

/// Line and column of a byte that a JSON parser stopped at, counted from 1 as it does.
Location place_of_byte(std::string_view text, const std::string& file, std::size_t byte);

}  // namespace measurements
}  // namespace tofn
