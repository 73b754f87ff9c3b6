#include "sim/formats/text/json_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sim/core/error.hpp"
#include "sim/core/utf8.hpp"

namespace tofn {
inline namespace formats {
namespace {

using RowJson = nlohmann::ordered_json;

constexpr int most_levels = 16;  // a table needs 4: trace, events, event, arguments

Value cell_of(const RowJson& value) {
  constexpr auto most = std::numeric_limits<long long>::max();
  if (value.is_null()) return {};
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t{most})
    return value.get<double>();
  if (value.is_number_integer()) return value.get<long long>();
  if (value.is_number()) return value.get<double>();
  if (value.is_string()) return value.get<std::string>();
  return value.dump();  // true, false, an array
}

/// Collects rows one by one, under columns that grow with them.
class Table {
 public:
  void add(const RowJson& object) {
    records_.rows.emplace_back();
    add_cells(object, "");
  }
  Records take() {
    for (auto& row : records_.rows) row.resize(records_.columns.size());
    return std::move(records_);
  }

 private:
  void add_cells(const RowJson& object, const std::string& prefix) {
    for (const auto& [key, value] : object.items()) {
      if (value.is_object()) {
        add_cells(value, prefix + key + '.');
        continue;
      }
      const auto [found, is_new] = place_.emplace(prefix + key, records_.columns.size());
      if (is_new) records_.columns.push_back(prefix + key);
      auto& row = records_.rows.back();
      if (row.size() <= found->second) row.resize(found->second + 1);
      row[found->second] = cell_of(value);
    }
  }

  Records records_;
  std::map<std::string, std::size_t> place_;
};

RowJson parsed(std::string_view part, std::string_view text, const std::string& file) {
  const auto is_shallow = [&](int depth, RowJson::parse_event_t, const RowJson&) {
    if (depth > most_levels) throw InputError({file}, {}, "is nested too deep for a table");
    return true;
  };
  try {
    return RowJson::parse(part, is_shallow);
  } catch (const RowJson::parse_error& error) {
    const auto start = static_cast<std::size_t>(part.data() - text.data());
    throw InputError(place_of_byte(text, file, start + error.byte), {}, "is not JSON here");
  } catch (const RowJson::out_of_range&) {
    throw InputError({file}, {}, "holds a number that is too large");
  }
}

/// True for JSON Lines: more than one line, and the first is a whole object.
bool has_object_per_line(std::string_view text) {
  const std::size_t end = text.find('\n');
  return text.starts_with('{') && end != std::string_view::npos &&
         text.find_first_not_of(" \t\r\n", end) != std::string_view::npos &&
         RowJson::accept(text.substr(0, end));
}

Records rows_of_lines(std::string_view text, const std::string& file) {
  Table table;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    if (line.find_first_not_of(" \t\r") != std::string_view::npos) {
      const RowJson object = parsed(line, text, file);
      if (!object.is_object())
        throw InputError(place_of_byte(text, file, at + 1), {}, "expected an object");
      table.add(object);
    }
    at = end + 1;
  }
  return table.take();
}

}  // namespace

Records json_rows(std::string_view text, const std::string& file) {
  if (has_object_per_line(text)) return rows_of_lines(text, file);
  const RowJson document = parsed(text, text, file);
  const auto part = [&](const char* name) {
    return document.is_object() && document.contains(name) ? &document[name] : nullptr;
  };
  const RowJson* events = part("traceEvents");
  const RowJson* answered = part("rows");
  const RowJson& rows = events != nullptr ? *events : answered != nullptr ? *answered : document;
  if (!rows.is_array())
    throw InputError({file}, {},
                     "holds no table: expected an array of objects, an object a line, an answer of "
                     "tofn, or a trace");
  Table table;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!rows[i].is_object())
      throw InputError({file}, fmt::format("[{}]", i), "expected an object with a key per column");
    table.add(rows[i]);
  }
  return table.take();
}

Location place_of_byte(std::string_view text, const std::string& file, std::size_t byte) {
  const std::string_view before = text.substr(0, byte == 0 ? 0 : byte - 1);
  const auto line = std::ranges::count(before, '\n') + 1;
  const std::size_t start =
      before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  return {file, static_cast<int>(line),
          static_cast<int>(character_count(before.substr(start))) + 1};
}

std::optional<Location> json_fault(std::string_view text, const std::string& file) {
  try {
    [[maybe_unused]] const RowJson read = RowJson::parse(text);
    return {};
  } catch (const RowJson::parse_error& error) {
    return place_of_byte(text, file, error.byte);
  } catch (const RowJson::out_of_range&) {
    return Location{file};
  }
}

std::map<std::string, std::string> json_texts(const std::filesystem::path& path) {
  std::map<std::string, std::string> texts;
  std::ifstream file(path);
  if (!file) return texts;
  const auto object = nlohmann::json::parse(file, nullptr, false);
  if (!object.is_object()) return texts;
  for (const auto& [key, value] : object.items()) {
    if (value.is_string()) texts[key] = value.get<std::string>();
    if (value.is_number()) texts[key] = value.dump();
  }
  return texts;
}

}  // namespace formats
}  // namespace tofn
