#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "sim/config/library.hpp"
#include "sim/config/model_starter.hpp"
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

/// A run of a model by its name or file, whose samples are of so many tokens.
std::string run_starter(const std::string& name, const std::string& model, double sequence_length);
/// A sweep of it over plans and sizes.
std::string sweep_starter(const std::string& name, const std::string& model);

}  // namespace starter
}  // namespace tofn
