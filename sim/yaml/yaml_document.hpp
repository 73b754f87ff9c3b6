#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace yaml {

enum class YamlKind { Nothing, Scalar, List, Map };

struct YamlEntry;

/// One value as written in the file, with text not interpreted.
struct YamlValue {
  YamlKind kind = YamlKind::Nothing;
  std::string text;        ///< of a scalar
  bool is_quoted = false;  ///< a quoted or block scalar, always text
  int line = 0;            ///< from 1
  int column = 0;          ///< in characters, from 1
  std::vector<YamlValue> items;
  std::vector<YamlEntry> entries;  ///< of a map, in file order, keys unique
};

/// Text and tags of a scalar: `80 GB` and `datasheet` of `80 GB [datasheet]`. A quoted scalar has
/// no tags.
struct TaggedText {
  std::string_view text;
  std::optional<std::string_view> tags;  ///< text between the brackets
};
TaggedText split_tags(const YamlValue& scalar);

struct YamlEntry {
  std::string key;
  int line = 0;
  int column = 0;
  YamlValue value;
};

/// Entry of a map with that key; nullptr if there is none.
template <class Map>
auto* entry_named(Map& map, std::string_view key) {
  const auto found = std::ranges::find(map.entries, key, &YamlEntry::key);
  return found == map.entries.end() ? nullptr : &*found;
}

/// A document in the part of YAML that configuration needs. Duplicate keys, anchors, aliases, merge
/// keys, tags, keys that are not text, several documents and nesting deeper than 64 are
/// InputErrors.
struct YamlDocument {
  std::string file;
  YamlValue root;
  std::map<std::string, std::string, std::less<>> sources;  ///< tag -> reference
};

/// Parses a file; InputError with the place of the mistake. Renames keys of older formats to their
/// newest names.
YamlDocument parse_yaml(std::string_view text, std::string file_name);
/// Parses a file with its keys as written; throws as `parse_yaml` does.
YamlDocument parse_old_yaml(std::string_view text, std::string file_name);

/// Root of a document, with the place of each value as editors show it. InputError with the place
/// of what is no YAML, or is outside the part that `YamlDocument` has; `file` is for messages.
YamlValue parse_tree(std::string_view text, std::string_view file);

}  // namespace yaml
}  // namespace tofn
