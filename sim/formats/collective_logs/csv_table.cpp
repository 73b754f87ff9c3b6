// CSV files for any other source: size_bytes and time_us, and optionally collective, ranks, nodes,
// type, algorithm, protocol, in_place (true or false), source.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "sim/core/csv_row.hpp"
#include "sim/formats/collective_logs/log_format.hpp"
#include "sim/formats/text/stated_placement.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// Columns that may occur; `file`, `cluster` and `cause` are for people, and for tables that `tofn
/// validate` reads.
constexpr std::array<std::string_view, 13> known_columns{
    "size_bytes", "time_us",  "collective", "ranks", "nodes",   "type", "algorithm",
    "protocol",   "in_place", "source",     "file",  "cluster", "cause"};

/// Returns the table that a row belongs to, without rows.
LoggedTable table_of(const CsvRow& row) {
  LoggedTable table{.tool = "table",
                    .source = row.text("source"),
                    .ranks = row.count("ranks"),
                    .nodes = row.count("nodes"),
                    .type = row.text("type"),
                    .algorithm = row.text("algorithm"),
                    .protocol = row.text("protocol")};
  if (const std::string name = row.text("collective"); !name.empty()) {
    table.collective = collective_named(name);
    if (!table.collective)
      row.fail("collective",
               fmt::format("expected one like all-reduce or alltoall, got '{}'", shortened(name)));
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
  const LogLine* header = log.head();
  return header != nullptr && header->text.find(',') != std::string_view::npos &&
         header->text.find("size_bytes") != std::string_view::npos &&
         header->text.find("time_us") != std::string_view::npos;
}

LoggedTables read_csv(const LogText& log) {
  LoggedTables read;
  const CsvTable csv = CsvTable::parse_whole_rows(log.whole, log.file, read.remarks);
  csv.refuse_unknown_columns(known_columns);
  for (std::string& remark : csv.remarks_on_end()) read.remarks.push_back(std::move(remark));
  for (std::size_t i = 0; i < csv.rows(); ++i) {
    const CsvRow cells(csv, i);
    LoggedTable found = table_of(cells);
    auto table = std::ranges::find_if(
        read.tables, [&](const LoggedTable& each) { return is_same(each, found); });
    LoggedRow row{.size = cells.needed_positive("size_bytes"), .line = {}};
    row.line.number = csv.location(i, "size_bytes").line;
    if (table == read.tables.end()) {
      found.line = row.line;
      read.tables.push_back(std::move(found));
      table = read.tables.end() - 1;
    }
    const Seconds time{cells.needed_positive("time_us") * 1e-6};
    (cells.flag("in_place").value_or(false) ? row.in_place : row.out_of_place) = time;
    table->rows.push_back(row);
  }
  return read;
}

}  // namespace formats
}  // namespace tofn
