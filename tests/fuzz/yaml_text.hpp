#pragma once

#include <string>

#include "sim/yaml/yaml_document.hpp"

namespace tofn::fuzz {

/// The tree as YAML. Scalars that are not quoted are written as they are, even if no reader accepts
/// them (`&anchor 3`, `[1, 2`).
std::string yaml_text_of(const YamlValue& root);

}  // namespace tofn::fuzz
