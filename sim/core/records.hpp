#pragma once

#include <string>

#include "sim/core/rows.hpp"

namespace tofn {

/// CSV of RFC 4180 with a header row. Numbers have nine significant digits; a missing value is an
/// empty cell.
std::string to_csv(const Records&);

/// Appends one CSV cell to `text`.
void append_csv_cell(std::string& text, const Value&);

/// JSON array of objects; a missing value is null.
std::string to_json(const Records&);

/// JSON text of one cell.
std::string json_value(const Value&);

}  // namespace tofn
