#pragma once

#include <vector>

#include "sim/config/yaml_reader.hpp"
#include "sim/model/model.hpp"

namespace tofn {

/// One entry of a model's `parts`: a map with one key, its kind. A stage of blocks is several
/// parts.
std::vector<ModelPart> read_model_part(const YamlNode&);

/// Reads a required whole number from 1 to ten million.
void read_dimension(Fields&, std::string_view key, int& out);

}  // namespace tofn
