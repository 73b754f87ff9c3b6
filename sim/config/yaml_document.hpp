#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace config {

enum class YamlKind { Nothing, Scalar, List, Map };

struct YamlEntry;

/// One value as it stands in the file: text is not interpreted.
struct YamlValue {
  YamlKind kind = YamlKind::Nothing;
  std::string text;        ///< of a scalar
  bool is_quoted = false;  ///< a quoted or block scalar: taken word for word
  int line = 0;            ///< from 1
  int column = 0;          ///< in characters, from 1
  std::vector<YamlValue> items;
  std::vector<YamlEntry> entries;  ///< of a map, in file order, keys unique
};

/// `80 GB [datasheet]` is `80 GB` and `datasheet`; a quoted scalar has no tags.
struct TaggedText {
  std::string_view text;
  std::optional<std::string_view> tags;  ///< what stands between the brackets
};
TaggedText split_tags(const YamlValue& scalar);

struct YamlEntry {
  std::string key;
  int line = 0;
  int column = 0;
  YamlValue value;
};

/// The part of YAML that configuration needs. Duplicate keys, anchors, aliases, merge keys, tags,
/// keys that are not text, several documents and nesting deeper than 64 are InputErrors.
struct YamlDocument {
  std::string file;
  YamlValue root;
  std::map<std::string, std::string, std::less<>> sources;  ///< tag -> reference
};

/// Throws InputError with the place of the mistake. Keys that had other names in the document's
/// format bear those of the newest.
YamlDocument parse_yaml(std::string_view text, std::string file_name);
/// The same with its keys as they stand.
YamlDocument parse_old_yaml(std::string_view text, std::string file_name);

}  // namespace config
}  // namespace tofn
