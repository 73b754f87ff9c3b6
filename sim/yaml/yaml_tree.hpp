#pragma once

#include <string_view>

#include "sim/yaml/yaml_document.hpp"

namespace tofn {
inline namespace yaml {

/// Root of a document, with the place of each value as editors show it. InputError with the place
/// of what is no YAML, or is outside the part that `YamlDocument` has; `file` is for messages.
YamlValue parse_tree(std::string_view text, std::string_view file);

}  // namespace yaml
}  // namespace tofn
