#pragma once

#include <string>
#include <variant>
#include <vector>

namespace tofn {

/// A cell for machines: nothing, a number or text.
using Value = std::variant<std::monostate, double, long long, std::string>;

/// Rows of named cells, written as CSV or JSON. Column names carry their unit.
struct Records {
  std::vector<std::string> columns;
  std::vector<std::vector<Value>> rows;
};

/// RFC 4180 with a header row; numbers to nine significant digits, nothing as an empty cell.
std::string to_csv(const Records&);

/// One cell of such a row, at the end of `text`.
void append_csv_cell(std::string& text, const Value&);

/// An array of objects; nothing as null.
std::string to_json(const Records&);

}  // namespace tofn
