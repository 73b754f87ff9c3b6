#pragma once

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

}  // namespace config
}  // namespace tofn
