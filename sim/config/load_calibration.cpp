#include "sim/config/load_calibration.hpp"

#include <fmt/format.h>

#include "sim/formats/text/stated_placement.hpp"
#include "sim/yaml/file_format.hpp"
#include "sim/yaml/read_in.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace config {
namespace {

constexpr double microseconds_per_second = 1e6;

bool is_nothing(const YamlNode& node) {
  return !node.is_scalar() && !node.is_list() && !node.is_map();
}

/// Reads a time in microseconds; absent if the benchmark measured none.
std::optional<Seconds> read_time(const YamlNode& node) {
  if (is_nothing(node)) return {};
  double microseconds = 0;
  node.read(microseconds);
  const Seconds time(microseconds / microseconds_per_second);
  if (!(time > Seconds{})) node.fail("a time must be above 0");
  return time;
}

CollectiveRow read_row(const YamlNode& node) {
  const auto cells = node.items();
  if (cells.size() != 3)
    node.fail(fmt::format(
        "expected [size_bytes, out_of_place_us, in_place_us] with null where none was measured, "
        "got {} {}",
        cells.size(), cells.size() == 1 ? "value" : "values"));
  double size = 0;
  cells[0].read(size);
  if (!(size > 0)) cells[0].fail("a size must be above 0");
  const CollectiveRow row{.size = Bytes(size),
                          .out_of_place = read_time(cells[1]),
                          .in_place = read_time(cells[2]),
                          .line = node.location().line};
  if (!row.out_of_place && !row.in_place) node.fail("a row needs a time");
  return row;
}

std::vector<CollectiveRow> read_rows(const YamlNode& node) {
  std::vector<CollectiveRow> rows;
  for (const YamlNode& item : node.items()) {
    const CollectiveRow row = read_row(item);
    if (!rows.empty() && row.size < rows.back().size)
      item.fail("sizes must ascend; a size may come several times");
    rows.push_back(row);
  }
  if (rows.empty()) node.fail("a table needs a row");
  return rows;
}

CollectiveTable read_table(const YamlNode& node) {
  CollectiveTable table;
  Fields fields = node.fields();
  fields.required("source", table.source);
  fields.required("file", table.file);
  fields.required("tool", table.tool);
  fields.required_choice("collective", table.collective,
                         ChoiceTable<CollectiveKind>(collective_kinds));
  fields.optional("type", table.type);
  read_in(range::at_least_one, fields, "ranks", table.ranks);
  read_in(range::at_least_one, fields, "nodes", table.nodes);
  fields.optional("algorithm", table.algorithm);
  fields.optional("protocol", table.protocol);
  if (table.ranks < table.nodes)
    fields.child("ranks").fail(fmt::format("{} ranks are fewer than the {} nodes that they run on",
                                           table.ranks, table.nodes));
  table.rows = read_rows(fields.child("rows"));
  fields.done();
  return table;
}

std::string time_text(const std::optional<Seconds>& time) {
  return time ? fmt::format("{:.15g}", time->base() * microseconds_per_second) : "null";
}

std::string table_text(const CollectiveTable& table) {
  std::string text;
  text += fmt::format("  - source: {}\n", yaml_text(table.source));
  text += fmt::format("    file: {}\n", yaml_text(table.file));
  text += fmt::format("    tool: {}\n", yaml_text(table.tool));
  text += fmt::format("    collective: {}\n", collective_name(table.collective));
  if (!table.type.empty()) text += fmt::format("    type: {}\n", yaml_text(table.type));
  text += fmt::format("    ranks: {}\n    nodes: {}\n", table.ranks, table.nodes);
  if (!table.algorithm.empty())
    text += fmt::format("    algorithm: {}\n", yaml_text(table.algorithm));
  if (!table.protocol.empty()) text += fmt::format("    protocol: {}\n", yaml_text(table.protocol));
  text += "    rows:  # size in bytes, out of place in us, in place in us\n";
  for (const CollectiveRow& row : table.rows)
    text += fmt::format("      - [{:.15g}, {}, {}]\n", row.size.base(), time_text(row.out_of_place),
                        time_text(row.in_place));
  return text;
}

}  // namespace

CollectiveCalibration load_calibration(const std::filesystem::path& file) {
  CollectiveCalibration calibration;
  const YamlNode root = YamlNode::load(file);
  Fields fields = root.fields();
  fields.required("name", calibration.name);
  fields.required("description", calibration.description);
  fields.required("machine", calibration.machine);
  fields.optional("cluster", calibration.cluster);
  fields.optional("sets", calibration.sets);
  const YamlNode tables = fields.child("tables");
  for (const YamlNode& item : tables.items()) calibration.tables.push_back(read_table(item));
  if (calibration.tables.empty()) tables.fail("a calibration needs a table");
  fields.done();
  return calibration;
}

std::string to_yaml(const CollectiveCalibration& calibration) {
  std::string text = format_line();
  text += fmt::format("name: {}\n", yaml_text(calibration.name));
  text += fmt::format("description: {}\n", yaml_text(calibration.description));
  text += fmt::format("machine: {}\n", yaml_text(calibration.machine));
  if (!calibration.cluster.empty())
    text += fmt::format("cluster: {}\n", yaml_text(calibration.cluster));
  if (!calibration.sets.empty()) text += fmt::format("sets: {}\n", yaml_text(calibration.sets));
  text += "tables:\n";
  for (const CollectiveTable& table : calibration.tables) text += table_text(table);
  return text;
}

}  // namespace config
}  // namespace tofn
