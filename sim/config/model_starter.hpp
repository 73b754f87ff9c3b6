#pragma once

#include <optional>
#include <string>

#include "sim/model/model.hpp"

namespace tofn {
inline namespace config {

/// Returns a file of a Llama-like model, for the user to change its dimensions.
std::string model_template(const std::string& name);
/// Returns a file of parts for a model read from elsewhere, such as a config.json; absent if the
/// file could not be read back as the same model.
std::optional<std::string> written_model(const Model&, const std::string& name);
/// Returns the same file as `written_model`; InputError if it is absent.
std::string model_starter(const Model&, const std::string& name);

}  // namespace config
}  // namespace tofn
