#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "sim/config/library.hpp"
#include "sim/config/model_starter.hpp"
#include "sim/starter/seen_machine.hpp"

// Starter files as text: a comment on every line states its unit and choices.

namespace tofn {
inline namespace starter {

/// A cluster of such machines. A comment states for each figure whether it was seen on the machine,
/// is from a shipped file, or is assumed. `accelerator` is a chip by its name or alias, in place of
/// the one that was seen; InputError with the valid names.
std::string cluster_starter(const SeenMachine&, const Library&, const std::string& name,
                            const std::optional<std::string>& accelerator);

/// The accelerator that a machine gives this name; null if the library has none.
const Accelerator* accelerator_called(const Library&, std::string_view seen);

/// A run of a model by its name or file, with samples of `sequence_length` tokens.
std::string run_starter(const std::string& name, const std::string& model, double sequence_length);
/// A sweep of the model over plans and sizes.
std::string sweep_starter(const std::string& name, const std::string& model);

}  // namespace starter
}  // namespace tofn
