#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/yaml_reader.hpp"
#include "sim/model/fine_tuning.hpp"

namespace tofn {
inline namespace config {

class YamlNode;

/// Whether a file describes a model, by its parts or as Hugging Face does.
bool is_model(const YamlNode& root);

/// Mistakes are InputErrors at file, line and column.
Model read_model(const YamlNode& root);
Model load_model(const std::filesystem::path&);

/// A path (it ends in .yaml or .json), or the name of a file of models/; with samples of so many
/// tokens in place of the file's. InputError with the valid names.
Model find_model(const std::filesystem::path& configs, std::string_view name_or_file,
                 std::optional<int> sequence_length = {});

/// The map `fine_tuning` of step profiles, and such a map as lines; empty where nothing is stated.
void read_fine_tuning(const YamlNode&, FineTuning& out);
std::string fine_tuning_yaml(const FineTuning&);

/// One entry of a model's `parts`: a map with one key, its kind. A stage of blocks is several
/// parts.
std::vector<ModelPart> read_model_part(const YamlNode&);

/// Reads a whole number from 1 to ten million; of a key that is required.
void read_dimension(const YamlNode&, int& out);
void read_dimension(Fields&, std::string_view key, int& out);

}  // namespace config
}  // namespace tofn
