#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "sim/config/yaml_reader.hpp"
#include "sim/model/model.hpp"

namespace tofn {
inline namespace config {

class YamlNode;

/// Mistakes are InputErrors at file, line and column.
Model read_model(const YamlNode& root);
Model load_model(const std::filesystem::path&);

/// A path (it ends in .yaml), or the name of a file of models/. InputError with the valid names.
Model find_model(const std::filesystem::path& configs, std::string_view name_or_file);

/// One entry of a model's `parts`: a map with one key, its kind. A stage of blocks is several
/// parts.
std::vector<ModelPart> read_model_part(const YamlNode&);

/// Reads a required whole number from 1 to ten million.
void read_dimension(Fields&, std::string_view key, int& out);

}  // namespace config
}  // namespace tofn
