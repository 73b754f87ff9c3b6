#include "sim/yaml/file_format.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/utf8.hpp"

namespace tofn {
inline namespace yaml {
namespace {

YamlEntry* entry_at(YamlValue& map, std::string_view path) {
  const std::size_t dot = path.find('.');
  YamlEntry* entry = entry_named(map, path.substr(0, dot));
  if (entry == nullptr || dot == std::string_view::npos) return entry;
  return entry_at(entry->value, path.substr(dot + 1));
}

/// Format of a document; 1 if it states none.
int format_of(YamlDocument& document) {
  const YamlEntry* entry = entry_named(document.root, format_key);
  if (entry == nullptr) return 1;
  const Location place{document.file, entry->value.line, entry->value.column};
  long long format = 0;
  if (!parse_integer(entry->value.text, format) || format < 1)
    throw InputError(place, format_key,
                     fmt::format("expected a whole number from 1 to {}, got '{}'", newest_format,
                                 shortened(entry->value.text)));
  if (format > newest_format)
    throw InputError(
        place, format_key,
        fmt::format("{} is newer than {}, the newest that this tofn reads", format, newest_format));
  return static_cast<int>(format);
}

/// Calls `each(row, entry)` for each key of the document that was renamed since its format.
template <class Each>
void for_each_renamed(YamlDocument& document, const Each& each) {
  const int format = format_of(document);
  for (const RenamedKey& row : renamed_keys) {
    if (row.since <= format || entry_named(document.root, row.kind_key) == nullptr) continue;
    if (YamlEntry* entry = entry_at(document.root, row.path)) each(row, *entry);
  }
}

/// Byte index of a character; line and column count from 1.
std::size_t byte_at(std::string_view text, int line, int column) {
  std::size_t place = 0;
  for (int i = 1; i < line; ++i) place = text.find('\n', place) + 1;
  for (int i = 1; i < column;) {
    ++place;
    if (character_count(text.substr(place, 1)) > 0) ++i;
  }
  return place;
}

}  // namespace

std::vector<std::string> bring_up_to_date(YamlDocument& document) {
  std::vector<std::string> changes;
  if (document.root.kind != YamlKind::Map) return changes;
  for_each_renamed(document, [&](const RenamedKey& row, YamlEntry& entry) {
    changes.push_back(fmt::format("{} is {}", row.path, row.name));
    entry.key = row.name;
  });
  return changes;
}

UpgradedText upgraded_text(const std::string& text, const std::string& file) {
  YamlDocument document = parse_old_yaml(text, file);
  if (document.root.kind != YamlKind::Map || document.root.entries.empty() ||
      document.root.entries.front().column != 1)
    throw InputError({.file = file}, "--upgrade", "rewrites maps of a key a line alone");
  UpgradedText upgraded{.text = text, .changes = {}};
  // Changes run from the last to the first, so that earlier places stay valid.
  std::vector<std::pair<std::size_t, const RenamedKey*>> places;
  for_each_renamed(document, [&](const RenamedKey& row, const YamlEntry& entry) {
    places.emplace_back(byte_at(text, entry.line, entry.column), &row);
  });
  std::sort(places.rbegin(), places.rend());
  for (const auto& [place, row] : places) {
    const std::string_view old = row->path.substr(row->path.rfind('.') + 1);
    const std::size_t start = upgraded.text.find(old, place);  // skips a quote
    upgraded.text.replace(start, old.size(), row->name);
    upgraded.changes.push_back(fmt::format("{} is {}", row->path, row->name));
  }
  const int format = format_of(document);
  if (const YamlEntry* entry = entry_named(document.root, format_key)) {
    const std::size_t place = byte_at(upgraded.text, entry->value.line, entry->value.column);
    upgraded.text.replace(place, entry->value.text.size(), std::to_string(newest_format));
  } else {
    const std::size_t place = byte_at(upgraded.text, document.root.entries.front().line, 1);
    upgraded.text.insert(place, format_line());
  }
  if (upgraded.text != text)
    upgraded.changes.push_back(format == newest_format
                                   ? "says its format"
                                   : fmt::format("format {} is {}", format, newest_format));
  return upgraded;
}

}  // namespace yaml
}  // namespace tofn
