#pragma once

#include <string>
#include <string_view>

#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace yaml {

/// Returns the text of the value at a dotted path, without its source tags. In a list, `[2]` is the
/// third item, and a word is the only item with that name or key: `parts.transformer.layers`.
/// InputError without a place if the path does not lead to a single value.
std::string text_at(const YamlNode& root, std::string_view path);

/// Returns the document with another text at the path (`[7, 8, 7]`: a list), marked `assumed` if
/// the old one named its source. Adds a key that its map lacks; the reader of the document checks
/// whether it knows the key.
YamlNode with_text(const YamlNode& root, std::string_view path, const std::string& text);

}  // namespace yaml
}  // namespace tofn
