#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tofn {
inline namespace yaml {

/// True for a path: it ends in .yaml, or in .json, which is YAML too, or it is `-`, standard input.
bool is_file_name(std::string_view);

/// Returns the .yaml files of a folder of configs (`models`, `plans`, ...), in order of name; empty
/// if the folder does not exist.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& configs,
                                            std::string_view folder);

/// Words for what may replace the name of a model.
inline constexpr std::string_view other_models =
    "a config.json, the folder that holds one or a name of Hugging Face's hub (Qwen/Qwen3-8B) is a "
    "model too";

/// Returns a path unchanged, otherwise the file of that name in the folder. InputError with the
/// nearest names; `what` is their kind, e.g. `model`.
std::filesystem::path file_named(const std::filesystem::path& configs, std::string_view folder,
                                 std::string_view what, std::string_view name_or_file);

/// Converts a file name to be relative to `folder`, and back; names stay as they are.
std::string seen_from(const std::filesystem::path& folder, const std::string& name);
std::string found_from(const std::filesystem::path& folder, const std::string& name);

}  // namespace yaml
}  // namespace tofn
