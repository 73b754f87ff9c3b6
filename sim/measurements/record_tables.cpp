#include "sim/measurements/record_tables.hpp"

#include <algorithm>
#include <map>
#include <variant>

#include <fmt/format.h>

#include "sim/measurements/stated_placement.hpp"

namespace tofn {
inline namespace measurements {
namespace {

double number_of(const RecordPoint& point, std::string_view name) {
  const RecordValue* value = parameter(point, name);
  if (value == nullptr) return 0;
  if (const auto* whole = std::get_if<long long>(value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(value)) return *real;
  return 0;
}

std::string text_of(const RecordPoint& point, std::string_view name) {
  const RecordValue* value = parameter(point, name);
  const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(value);
  return text == nullptr ? std::string() : *text;
}

bool is_in_place(const RecordPoint& point) {
  const RecordValue* value = parameter(point, "in_place");
  return value != nullptr && std::holds_alternative<bool>(*value) && std::get<bool>(*value);
}

/// Points of one table differ in nothing but size and place.
RecordParameters setting_of(const RecordPoint& point) {
  RecordParameters setting = point.parameters;
  std::erase_if(setting, [](const auto& each) {
    return each.first == "size_bytes" || each.first == "in_place";
  });
  return setting;
}

bool is_read(const RecordPoint& point) {
  return point.kind == "collective" && point.is_complete && point.summary.median > 0 &&
         text_of(point, "operation") != "send-receive-pairs" &&
         collective_named(text_of(point, "operation")) && number_of(point, "size_bytes") >= 1 &&
         number_of(point, "group_nodes") >= 1 &&
         number_of(point, "group_ranks") >= number_of(point, "group_nodes");
}

std::string text_of(const RecordParameters& setting) {
  std::string text;
  for (const auto& [name, value] : setting) {
    text += name + '=';
    text += std::visit([](const auto& stated) { return fmt::format("{} ", stated); }, value);
  }
  return text;
}

CollectiveTable table_of(const Record& record, const RecordPoint& point, const std::string& file) {
  CollectiveTable table;
  table.file = file;
  table.tool = "tofn-bench";
  table.collective = *collective_named(text_of(point, "operation"));
  table.type = text_of(point, "type");
  table.setting = text_of(setting_of(point));
  table.ranks = static_cast<int>(number_of(point, "group_ranks"));
  table.nodes = static_cast<int>(number_of(point, "group_nodes"));
  table.source = text_of(point, "library") + ", " + text_of(point, "memory") + " memory, group " +
                 text_of(point, "group");
  for (const auto& [name, value] : record.provenance)
    if (name == "command" || name == "started") table.source += ", " + value;
  return table;
}

void add(const RecordPoint& point, CollectiveTable& table) {
  const Bytes size{number_of(point, "size_bytes")};
  const Seconds time{point.summary.median};
  auto row = std::find_if(table.rows.begin(), table.rows.end(), [&](const CollectiveRow& each) {
    return each.size == size && !(is_in_place(point) ? each.in_place : each.out_of_place);
  });
  if (row == table.rows.end()) {
    row = table.rows.emplace(row);
    row->size = size;
  }
  (is_in_place(point) ? row->in_place : row->out_of_place) = time;
}

}  // namespace

std::vector<CollectiveTable> tables_of(const Record& record, const std::string& file) {
  std::vector<CollectiveTable> tables;
  std::map<RecordParameters, std::size_t> table_of_setting;
  for (const RecordPoint& point : record.points) {
    if (!is_read(point)) continue;
    const auto [found, is_new] = table_of_setting.try_emplace(setting_of(point), tables.size());
    if (is_new) tables.push_back(table_of(record, point, file));
    add(point, tables[found->second]);
  }
  for (CollectiveTable& table : tables)
    std::stable_sort(
        table.rows.begin(), table.rows.end(),
        [](const CollectiveRow& a, const CollectiveRow& b) { return a.size < b.size; });
  return tables;
}

}  // namespace measurements
}  // namespace tofn
