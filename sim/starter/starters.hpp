#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "sim/config/library.hpp"
#include "sim/model/model.hpp"
#include "sim/starter/seen_machine.hpp"

// Files to begin with, as text: every line says its unit and choices in a comment.

namespace tofn {
inline namespace starter {

/// A cluster of such machines. Comments say of each figure whether it was seen, is of a file that
/// ships, or assumed. `accelerator`: a chip by its name or one of its aliases, in place of what was
/// seen; InputError with the valid names.
std::string cluster_starter(const SeenMachine&, const Library&, const std::string& name,
                            const std::optional<std::string>& accelerator);

/// The accelerator that a machine calls so; null where the library has none.
const Accelerator* accelerator_called(const Library&, std::string_view seen);

/// A Llama-like model, whose dimensions are to be changed.
std::string model_template(const std::string& name);
/// A model that was read elsewhere, such as from a config.json. InputError where its parts cannot
/// be written so that they are read again as the same model.
std::string model_starter(const Model&, const std::string& name);

/// A run of a model by its name or file, whose samples are of so many tokens.
std::string run_starter(const std::string& name, const std::string& model, double sequence_length);
/// A sweep of it over plans and sizes.
std::string sweep_starter(const std::string& name, const std::string& model);

}  // namespace starter
}  // namespace tofn
