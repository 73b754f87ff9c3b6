#include "sim/report/records.hpp"

#include <fmt/format.h>

#include "sim/core/json.hpp"

namespace tofn {
namespace {

constexpr int digits = 9;

std::string csv_cell(const Value& value) {
  if (const auto* number = std::get_if<double>(&value))
    return fmt::format("{:.{}g}", *number, digits);
  if (const auto* whole = std::get_if<long long>(&value)) return fmt::format("{}", *whole);
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return "";
  if (text->find_first_of(",\"\r\n") == std::string::npos) return *text;
  std::string quoted = "\"";
  for (const char c : *text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string json_value(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return json_number(*number, digits);
  if (const auto* whole = std::get_if<long long>(&value)) return fmt::format("{}", *whole);
  if (const auto* text = std::get_if<std::string>(&value)) return json_text(*text);
  return "null";
}

}  // namespace

std::string to_csv(const Records& records) {
  std::string text;
  for (std::size_t c = 0; c < records.columns.size(); ++c)
    text += (c == 0 ? "" : ",") + records.columns[c];
  text += '\n';
  for (const auto& row : records.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) text += (c == 0 ? "" : ",") + csv_cell(row[c]);
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
