// A CSV for everything else: size_bytes and time_us, and optionally collective, ranks, nodes, type,
// algorithm, protocol, in_place (true or false), source.
#include <algorithm>

#include "sim/core/csv.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/measurements/log_format.hpp"
#include "sim/measurements/stated_placement.hpp"

namespace tofn {
inline namespace measurements {
namespace {

std::string cell(const CsvTable& csv, std::size_t row, std::string_view column) {
  return csv.has_column(column) ? csv.at(row, column) : std::string();
}

[[noreturn]] void refuse(const CsvTable& csv, std::size_t row, std::string_view column,
                         const std::string& needed) {
  throw InputError(csv.location(row, column), column,
                   "must be " + needed + ", is '" + shortened(csv.at(row, column)) + "'");
}

double positive_at(const CsvTable& csv, std::size_t row, std::string_view column) {
  double value = 0;
  if (!parse_number(csv.at(row, column), value) || !(value > 0))
    refuse(csv, row, column, "a number above 0");
  return value;
}

std::optional<int> count_at(const CsvTable& csv, std::size_t row, std::string_view column) {
  const std::string text = cell(csv, row, column);
  if (text.empty()) return std::nullopt;
  const auto count = parse_count(text);
  if (!count) refuse(csv, row, column, "a whole number from 1");
  return count;
}

/// The table that a row belongs to, still without rows.
LoggedTable table_of(const CsvTable& csv, std::size_t row) {
  LoggedTable table{.tool = "table",
                    .source = cell(csv, row, "source"),
                    .ranks = count_at(csv, row, "ranks"),
                    .nodes = count_at(csv, row, "nodes"),
                    .type = cell(csv, row, "type"),
                    .algorithm = cell(csv, row, "algorithm"),
                    .protocol = cell(csv, row, "protocol")};
  if (const std::string name = cell(csv, row, "collective"); !name.empty()) {
    table.collective = collective_named(name);
    if (!table.collective) refuse(csv, row, "collective", "like all-reduce or alltoall");
  }
  return table;
}

bool is_same(const LoggedTable& a, const LoggedTable& b) {
  return a.source == b.source && a.collective == b.collective && a.ranks == b.ranks &&
         a.nodes == b.nodes && a.type == b.type && a.algorithm == b.algorithm &&
         a.protocol == b.protocol;
}

}  // namespace

bool is_csv(const LogText& log) {
  const auto header = std::find_if(log.lines.begin(), log.lines.end(), [](const LogLine& line) {
    return !line.is_comment() && !trimmed(line.text).empty();
  });
  return header != log.lines.end() && header->text.find(',') != std::string_view::npos &&
         header->text.find("size_bytes") != std::string_view::npos;
}

LoggedTables read_csv(const LogText& log) {
  const CsvTable csv = CsvTable::parse(log.whole, log.file);
  LoggedTables read;
  for (std::size_t i = 0; i < csv.rows(); ++i) {
    LoggedTable found = table_of(csv, i);
    auto table = std::find_if(read.tables.begin(), read.tables.end(),
                              [&](const LoggedTable& each) { return is_same(each, found); });
    LoggedRow row{.size = positive_at(csv, i, "size_bytes"), .line = {}};
    row.line.number = csv.location(i, "size_bytes").line;
    if (table == read.tables.end()) {
      found.line = row.line;
      read.tables.push_back(std::move(found));
      table = read.tables.end() - 1;
    }
    const Seconds time{positive_at(csv, i, "time_us") * 1e-6};
    (cell(csv, i, "in_place") == "true" ? row.in_place : row.out_of_place) = time;
    table->rows.push_back(row);
  }
  return read;
}

}  // namespace measurements
}  // namespace tofn
