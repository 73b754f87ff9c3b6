#pragma once

#include <string>

#include "sim/core/rows.hpp"

namespace tofn {

/// RFC 4180 with a header row; numbers to nine significant digits, nothing as an empty cell.
std::string to_csv(const Records&);

/// One cell of such a row, at the end of `text`.
void append_csv_cell(std::string& text, const Value&);

/// An array of objects; nothing as null.
std::string to_json(const Records&);

/// One cell of it.
std::string json_value(const Value&);

}  // namespace tofn
