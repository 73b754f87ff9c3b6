#include "sim/core/records.hpp"

#include <iterator>

#include <fmt/format.h>

#include "sim/core/json.hpp"

namespace tofn {
namespace {

constexpr int digits = 9;

}  // namespace

std::string json_value(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return json_number(*number, digits);
  if (const auto* whole = std::get_if<long long>(&value)) return fmt::format("{}", *whole);
  if (const auto* text = std::get_if<std::string>(&value)) return json_text(*text);
  return "null";
}

void append_csv_cell(std::string& out, const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) {
    fmt::format_to(std::back_inserter(out), "{:.{}g}", *number, digits);
  } else if (const auto* whole = std::get_if<long long>(&value)) {
    fmt::format_to(std::back_inserter(out), "{}", *whole);
  } else if (const auto* text = std::get_if<std::string>(&value)) {
    if (text->find_first_of(",\"\r\n") == std::string::npos) {
      out += *text;
      return;
    }
    out += '"';
    for (const char c : *text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    out += '"';
  }
}

std::string to_csv(const Records& records) {
  std::string text;
  for (std::size_t c = 0; c < records.columns.size(); ++c)
    text += (c == 0 ? "" : ",") + records.columns[c];
  text += '\n';
  for (const auto& row : records.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) text += ',';
      append_csv_cell(text, row[c]);
    }
    text += '\n';
  }
  return text;
}

std::string to_json(const Records& records) {
  std::string text = "[";
  for (std::size_t r = 0; r < records.rows.size(); ++r) {
    text += r == 0 ? "\n  {" : ",\n  {";
    for (std::size_t c = 0; c < records.columns.size(); ++c)
      text += fmt::format("{}{}: {}", c == 0 ? "" : ", ", json_text(records.columns[c]),
                          json_value(records.rows[r][c]));
    text += '}';
  }
  return text + "\n]\n";
}

}  // namespace tofn
