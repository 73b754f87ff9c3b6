#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/model/fine_tuning.hpp"
#include "sim/yaml/field_rows.hpp"

namespace tofn {
inline namespace config {

/// True if a file describes a model, by its parts or as Hugging Face does.
bool is_model(const YamlNode& root);

/// Reads a model. Mistakes are InputErrors with file, line and column.
Model read_model(const YamlNode& root);
Model load_model(const std::filesystem::path&);

/// Takes a path (ending in .yaml or .json) or the name of a file of models/; `sequence_length`
/// overrides the file's tokens per sample. InputError with the valid names.
Model find_model(const std::filesystem::path& configs, std::string_view name_or_file,
                 std::optional<int> sequence_length = {});

/// Reads and writes the map `fine_tuning` of step profiles; the text is empty if nothing is stated.
void read_fine_tuning(const YamlNode&, FineTuning& out);
std::string fine_tuning_yaml(const FineTuning&);

/// Reads one entry of a model's `parts`: a map with its kind as the only key. A stage of blocks
/// gives several parts.
std::vector<ModelPart> read_model_part(const YamlNode&);

/// Adds the keys of parts of every kind.
void list_part_keys(FieldLister&);

/// Reads a whole number from 1 to ten million.
void read_dimension(const YamlNode&, int& out);

}  // namespace config
}  // namespace tofn
