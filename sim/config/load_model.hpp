#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "sim/model/model.hpp"

namespace tofn {

/// Mistakes are InputErrors at file, line and column.
Model load_model(const std::filesystem::path&);

/// Those below models/ of a configs folder, in order of name; none where there is no such folder.
std::vector<std::filesystem::path> model_files(const std::filesystem::path& configs);

/// A path (it ends in .yaml), or the name of a file of models/. InputError with the valid names.
Model find_model(const std::filesystem::path& configs, std::string_view name_or_file);

}  // namespace tofn
