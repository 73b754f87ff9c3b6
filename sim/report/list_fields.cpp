#include "sim/report/list_report.hpp"

namespace tofn {
inline namespace report {

Listing list_fields(std::span<const FileKey> keys) {
  // The key comes first for people, because the parts of a wide table repeat the first column; JSON
  // begins with the kind.
  const bool has_kinds = !keys.empty() && keys.front().kind != keys.back().kind;
  TableColumns<FileKey> columns{
      {"kind", &FileKey::kind, "kind of file"},
      {"key", &FileKey::key, left("key"), "key, dotted; with [] for each entry of a list"},
      {"value", &FileKey::value, left("unit or choices"),
       "value that the key takes: its unit or choices"},
      {"default", &FileKey::default_value, left("default"),
       "value where the file does not state the key"},
      {"meaning", &FileKey::meaning, left("meaning"), "meaning of the name"}};
  if (has_kinds) columns.insert(columns.begin() + 2, left("kind", &FileKey::kind));
  return listing_of(columns, keys);
}

}  // namespace report
}  // namespace tofn
