#include "sim/yaml/yaml_change.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/yaml/yaml_document.hpp"

namespace tofn {
inline namespace yaml {
namespace {

std::vector<std::string> keys_of(const YamlValue& map) {
  std::vector<std::string> keys;
  for (const YamlEntry& entry : map.entries) keys.push_back(entry.key);
  return keys;
}

/// Name of a list's item: the value of its `name`, otherwise its only key.
std::string name_of(const YamlValue& item) {
  if (const YamlEntry* name = entry_named(item, "name")) return name->value.text;
  return item.entries.size() == 1 ? item.entries.front().key : std::string();
}

YamlValue& item_of(YamlValue& list, std::string_view segment) {
  long long index = -1;
  if (segment.starts_with('[') && segment.ends_with(']') &&
      parse_integer(segment.substr(1, segment.size() - 2), index)) {
    if (index >= 0 && index < static_cast<long long>(list.items.size()))
      return list.items[static_cast<std::size_t>(index)];
    throw InputError(
        fmt::format("there is no item {}: the list has {}, from [0]", segment, list.items.size()));
  }
  std::vector<std::string> names;
  YamlValue* found = nullptr;
  for (YamlValue& item : list.items) {
    names.push_back(name_of(item));
    if (names.back() != segment) continue;
    if (found != nullptr)
      throw InputError(fmt::format("more than one item is '{}': say [0] to [{}]", segment,
                                   list.items.size() - 1));
    found = &item;
  }
  if (found == nullptr) throw InputError(unknown_name("item", segment, names));
  // An item named by its only key stands for that key's value.
  return entry_named(*found, "name") == nullptr ? found->entries.front().value : *found;
}

/// Splits a path into segments: `a.b[2].c` is `a`, `b`, `[2]`, `c`.
std::vector<std::string_view> segments_of(std::string_view path) {
  std::vector<std::string_view> segments;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= path.size(); ++i) {
    const bool ends = i == path.size() || path[i] == '.' || path[i] == '[';
    if (!ends) continue;
    if (i > start) segments.push_back(path.substr(start, i - start));
    start = i < path.size() && path[i] == '[' ? i : i + 1;
  }
  return segments;
}

/// Returns the value at the path; adds a missing key to its map if `adds`.
YamlValue& value_at(YamlValue& root, std::string_view path, bool adds, bool takes_list) {
  YamlValue* value = &root;
  std::string walked;
  bool is_new = false;
  for (const std::string_view segment : segments_of(path)) {
    if (is_new) value->kind = YamlKind::Map;
    if (value->kind == YamlKind::List) {
      value = &item_of(*value, segment);
    } else if (value->kind == YamlKind::Map) {
      YamlEntry* next = entry_named(*value, segment);
      if (next == nullptr && !adds) throw InputError(unknown_name("key", segment, keys_of(*value)));
      if (next == nullptr) {
        value->entries.push_back({std::string(segment), value->line, value->column, {}});
        next = &value->entries.back();
        next->value.line = value->line;
        next->value.column = value->column;
        is_new = true;
      }
      value = &next->value;
    } else {
      throw InputError(fmt::format("'{}' is a single value", walked));
    }
    walked += (walked.empty() || segment.front() == '[' ? "" : ".") + std::string(segment);
  }
  if (value->kind == YamlKind::Map)
    throw InputError(fmt::format("is a map: choose one of {}", choices(keys_of(*value))));
  if (value->kind == YamlKind::List && !takes_list)
    throw InputError("is a list: choose one item, e.g. [0]");
  return *value;
}

}  // namespace

std::string text_at(const YamlNode& root, std::string_view path) {
  YamlValue copy = root.document().root;
  return std::string(split_tags(value_at(copy, path, false, false)).text);
}

YamlNode with_text(const YamlNode& root, std::string_view path, const std::string& text) {
  const bool is_list = text.starts_with('[');
  YamlDocument changed = root.document();
  YamlValue& value = value_at(changed.root, path, true, is_list);
  if (is_list) {
    value = YamlNode::parse("list: " + text, "").document().root.entries.front().value;
    return YamlNode(std::make_shared<const YamlDocument>(std::move(changed)));
  }
  const bool had_source = value.kind == YamlKind::Scalar && split_tags(value).tags.has_value();
  value.kind = YamlKind::Scalar;
  value.text = had_source ? text + " [assumed]" : text;
  value.is_quoted = false;
  return YamlNode(std::make_shared<const YamlDocument>(std::move(changed)));
}

}  // namespace yaml
}  // namespace tofn
