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

/// What may stand for the name of a model.
inline constexpr std::string_view other_models =
    "a config.json, the folder that holds one or a name of Hugging Face's hub (Qwen/Qwen3-8B) is a "
    "model too";

/// A path as it is, else the file of that folder with the name. InputError with
/// the nearest names; `what` is what they name, e.g. `model`.
std::filesystem::path file_named(const std::filesystem::path& configs, std::string_view folder,
                                 std::string_view what, std::string_view name_or_file);

/// A name as it is; a file as it is seen from `folder`, and back from there.
std::string seen_from(const std::filesystem::path& folder, const std::string& name);
std::string found_from(const std::filesystem::path& folder, const std::string& name);

}  // namespace config
}  // namespace tofn
