#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tofn {
inline namespace config {

/// Whether it is a path, not a name: it ends in .yaml, or in .json, which is YAML too; or it is
/// `-`, standard input.
bool is_file_name(std::string_view);

/// The .yaml files of a folder of configs (`models`, `plans`, ...), in order of name; none where
/// there is no such folder.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& configs,
                                            std::string_view folder);

/// A path as it is, else the file of that folder with the name. InputError with
/// the valid names; `what` is what they name, e.g. `model`.
std::filesystem::path file_named(const std::filesystem::path& configs, std::string_view folder,
                                 std::string_view what, std::string_view name_or_file);

/// A name as it is; a file as it is seen from `folder`, and back from there.
std::string seen_from(const std::filesystem::path& folder, const std::string& name);
std::string found_from(const std::filesystem::path& folder, const std::string& name);

}  // namespace config
}  // namespace tofn
