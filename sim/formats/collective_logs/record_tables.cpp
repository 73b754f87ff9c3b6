#include "sim/formats/collective_logs/record_tables.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <variant>

#include <fmt/format.h>

#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/statistics.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/text/stated_placement.hpp"

namespace tofn {
inline namespace formats {
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

/// Parameters that points of one table share: all except size and place.
RecordParameters setting_of(const RecordPoint& point) {
  RecordParameters setting = point.parameters;
  std::erase_if(setting, [](const auto& each) {
    return each.first == "size_bytes" || each.first == "in_place";
  });
  return setting;
}

bool has_flag(const RecordPoint& point, std::string_view start) {
  return std::ranges::any_of(point.flags,
                             [&](const std::string& flag) { return flag.starts_with(start); });
}

bool is_throttled(const RecordPoint& point) { return has_flag(point, "throttled"); }

bool is_read(const RecordPoint& point) {
  return point.kind == "collective" && point.is_complete && !is_throttled(point) &&
         point.summary.median > 0 && text_of(point, "operation") != "send-receive-pairs" &&
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
  table.tool = text_of(point, "backend") == "mpi" ? tool_of_mpi : "tofn-bench";
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
  auto row = std::ranges::find_if(table.rows, [&](const CollectiveRow& each) {
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
    std::ranges::stable_sort(table.rows, {}, &CollectiveRow::size);
  return tables;
}

namespace {

/// Names the worst unsettled point, because a median hides it.
std::string unsettled_words(const Record& record) {
  double widest = 0;
  std::ptrdiff_t count = 0;
  for (const RecordPoint& point : record.points) {
    if (!is_read(point) || !has_flag(point, "unsettled")) continue;
    ++count;
    const Interval& interval = point.summary.interval;
    widest = std::max(widest, (interval.high - interval.low) / 2 / point.summary.median);
  }
  if (count == 0) return {};
  return fmt::format("{} of collectives did not settle, the worst within {} %",
                     counted(count, "point"), percent_within(widest));
}

std::string host_memory_words(const Record& record) {
  const auto count = std::ranges::count_if(record.points, [](const RecordPoint& point) {
    return is_read(point) && text_of(point, "memory") == "host";
  });
  if (count == 0) return {};
  return fmt::format("{} of collectives in host memory: links of accelerators took no part",
                     counted(count, "point"));
}

std::string throttled_words(const Record& record) {
  const auto count = std::ranges::count_if(record.points, is_throttled);
  if (count == 0) return {};
  return fmt::format("{} left out: heat or a power brake slowed the GPU down",
                     counted(count, "point"));
}

std::string other_kinds_words(const Record& record) {
  std::vector<std::string> kinds;
  std::ptrdiff_t count = 0;
  for (const RecordPoint& point : record.points) {
    if (point.kind == "collective") continue;
    ++count;
    if (std::ranges::find(kinds, point.kind) == kinds.end()) kinds.push_back(point.kind);
  }
  if (count == 0) return {};
  return fmt::format("{} of {} make no curve: `tofn check` shows them", counted(count, "point"),
                     list_text(kinds, "and"));
}

/// Type of matrix products, and the key of an accelerator's file that they measure.
struct ProductKey {
  std::string_view type;
  std::string_view key;
};
constexpr std::array product_keys{ProductKey{"bf16", "best_product"},
                                  ProductKey{"fp16", "best_product"},
                                  ProductKey{"fp8_e4m3", "best_fp8_product"}};

/// Median FLOP/s of matrix products of 1 to 2 TFLOP with all dimensions at least 1024, as files of
/// accelerators state it (assumed to be what large products reach).
std::string products_words(const Record& record, const ProductKey& product) {
  std::vector<double> speeds;
  for (const RecordPoint& point : record.points) {
    if (point.kind != "gemm" || !point.is_complete || is_throttled(point) ||
        text_of(point, "type") != product.type || point.summary.median <= 0)
      continue;
    const double m = number_of(point, "m");
    const double n = number_of(point, "n");
    const double k = number_of(point, "k");
    const double flops = 2 * m * n * k;
    if (std::min({m, n, k}) >= 1024 && flops >= 1e12 && flops <= 2e12)
      speeds.push_back(flops / point.summary.median);
  }
  if (speeds.empty()) return {};
  return fmt::format(
      "{} products reach {} (median of {} of 1 to 2 TFLOP): `{}` of its accelerator's file",
      product.type, to_text(FlopsPerSecond(median(speeds))), speeds.size(), product.key);
}

}  // namespace

std::vector<std::string> remarks_on(const Record& record) {
  std::vector<std::string> remarks{throttled_words(record), unsettled_words(record),
                                   host_memory_words(record)};
  for (const ProductKey& product : product_keys) remarks.push_back(products_words(record, product));
  remarks.push_back(other_kinds_words(record));
  std::erase(remarks, "");
  return remarks;
}

}  // namespace formats
}  // namespace tofn
