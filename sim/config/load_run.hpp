#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/load_plan.hpp"
#include "sim/training/stated_run.hpp"

namespace tofn {
inline namespace yaml {
class YamlNode;
}
inline namespace config {

/// True if a file describes a run.
bool is_run(const YamlNode& root);

/// Reads a run with the models, plans and workloads of `configs` that it names. Mistakes are
/// InputErrors with file, line and column.
StatedRun load_run(const std::filesystem::path& file, const std::filesystem::path& configs);

/// Takes a path (ending in .yaml) or the name of a file of runs/. InputError with the valid names.
StatedRun find_run(const std::filesystem::path& configs, std::string_view name_or_file);

}  // namespace config
}  // namespace tofn
