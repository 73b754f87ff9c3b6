#include "sim/report/list_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {

Listing list_fields(std::span<const FileKey> keys) {
  TextTable table({{"kind", Align::Left},
                   {"key", Align::Left},
                   {"unit or choices", Align::Left},
                   {"default", Align::Left},
                   {"meaning", Align::Left}});
  for (const FileKey& each : keys)
    table.add({each.kind, each.key, each.value, each.default_value, each.meaning});
  const Columns<FileKey> columns{{"kind", &FileKey::kind},
                                 {"key", &FileKey::key},
                                 {"value", &FileKey::value},
                                 {"default", &FileKey::default_value},
                                 {"meaning", &FileKey::meaning}};
  return {.text = table.render(), .records = records_of(columns, keys)};
}

}  // namespace report
}  // namespace tofn
