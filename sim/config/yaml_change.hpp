#pragma once

#include <string>
#include <string_view>

#include "sim/config/yaml_reader.hpp"

namespace tofn {
inline namespace config {

/// The text of the value at a dotted path, without its source tags. In a list, `[2]` is the third
/// item, a word the one item that has it as its name or as a key: `parts.transformer.layers`.
/// InputError without a place where the path leads nowhere or not to a single value.
std::string text_at(const YamlNode& root, std::string_view path);

/// The document with another text there (`[7, 8, 7]`: a list), marked `assumed` where the old one
/// named its source. A key that a map lacks is added to it: whoever reads the document tells
/// whether it knows such a key.
YamlNode with_text(const YamlNode& root, std::string_view path, const std::string& text);

}  // namespace config
}  // namespace tofn
