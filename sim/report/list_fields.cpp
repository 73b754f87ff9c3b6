#include "sim/report/list_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {

Listing list_fields(std::span<const FileKey> keys) {
  // The first column is what a part of a wide table repeats.
  std::vector<TextTable::Column> heads{{"key", Align::Left},
                                       {"unit or choices", Align::Left},
                                       {"default", Align::Left},
                                       {"meaning", Align::Left}};
  const bool has_kinds = !keys.empty() && keys.front().kind != keys.back().kind;
  if (has_kinds) heads.insert(heads.begin() + 1, {"kind", Align::Left});
  TextTable table(heads);
  for (const FileKey& each : keys) {
    std::vector<std::string> row{each.key, each.value, each.default_value, each.meaning};
    if (has_kinds) row.insert(row.begin() + 1, each.kind);
    table.add(row);
  }
  const Columns<FileKey> columns{{"kind", &FileKey::kind},
                                 {"key", &FileKey::key},
                                 {"value", &FileKey::value},
                                 {"default", &FileKey::default_value},
                                 {"meaning", &FileKey::meaning}};
  return {.text = table.render(), .records = records_of(columns, keys)};
}

}  // namespace report
}  // namespace tofn
