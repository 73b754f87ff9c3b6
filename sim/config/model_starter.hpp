#pragma once

#include <optional>
#include <string>

#include "sim/model/model.hpp"

namespace tofn {
inline namespace config {

/// A Llama-like model, whose dimensions are to be changed.
std::string model_template(const std::string& name);
/// A file of parts of a model that was read elsewhere, such as from a config.json; none where its
/// parts cannot be written so that they are read again as the same model.
std::optional<std::string> written_model(const Model&, const std::string& name);
/// The same; InputError where there is none.
std::string model_starter(const Model&, const std::string& name);

}  // namespace config
}  // namespace tofn
