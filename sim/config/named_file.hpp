#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace tofn {
inline namespace config {

/// The .yaml files of a folder of configs (`models`, `plans`, ...), in order of name; none where
/// there is no such folder.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& configs,
                                            std::string_view folder);

/// A path (it ends in .yaml) as it is, else the file of that folder with the name. InputError with
/// the valid names; `what` is what they name, e.g. `model`.
std::filesystem::path file_named(const std::filesystem::path& configs, std::string_view folder,
                                 std::string_view what, std::string_view name_or_file);

}  // namespace config
}  // namespace tofn
