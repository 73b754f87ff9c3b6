#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "sim/config/yaml_reader.hpp"
#include "sim/model/model.hpp"

namespace tofn {
inline namespace config {

/// Whether the file is a `config.json` of Hugging Face's transformers.
bool is_hugging_face(const YamlNode& root);

/// The model that it describes. A key `sequence_length`, which is not theirs, says what samples are
/// trained at; without it they are of 4096 tokens, or of fewer where the model takes no more.
/// InputErrors name the key. What the file leaves open, what of it is not expressed and keys that
/// are not known stand in the model's substitutions.
Model read_hugging_face(const YamlNode& root);

/// Numbers that change what a model computes and not how long that takes, as its file writes them.
struct ModelConstants {
  std::optional<std::string> rotary_base{};
  std::optional<std::string> norm_epsilon{};
};
/// Those of the model of that name or file: a config.json states them, files of configs/ do not.
ModelConstants find_model_constants(const std::filesystem::path& configs,
                                    std::string_view name_or_file);

}  // namespace config
}  // namespace tofn
