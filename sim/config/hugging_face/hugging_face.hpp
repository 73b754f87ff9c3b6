#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "sim/model/model.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace config {

/// True if the file is a `config.json` of Hugging Face's transformers.
bool is_hugging_face(const YamlNode& root);

/// Returns the model that the file describes. The key `sequence_length`, which is tofn's, states
/// the tokens of a training sample; the default is 4096, or the model's limit if that is shorter.
/// InputErrors name the key. The model's substitutions list assumed values, features that are not
/// modelled, and unknown keys.
Model read_hugging_face(const YamlNode& root);

/// Numbers that change results of a model but not its time, as written in its file.
struct ModelConstants {
  std::optional<std::string> rotary_base{};
  std::optional<std::string> norm_epsilon{};
};
/// Returns the constants of a model by name or file. Only a config.json states them; the files of
/// configs/ do not.
ModelConstants find_model_constants(const std::filesystem::path& configs,
                                    std::string_view name_or_file);

}  // namespace config
}  // namespace tofn
