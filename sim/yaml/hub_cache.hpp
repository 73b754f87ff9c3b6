#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace tofn {
inline namespace yaml {

using ReadVariable = std::function<std::optional<std::string>(const char* name)>;

/// Folder in which Hugging Face's library stores its downloads: HF_HUB_CACHE,
/// HUGGINGFACE_HUB_CACHE, HF_HOME/hub, XDG_CACHE_HOME/huggingface/hub or ~/.cache/huggingface/hub,
/// the first that is set (github.com/huggingface/huggingface_hub@ee0a4510,
/// src/huggingface_hub/constants.py).
std::filesystem::path hub_cache_folder(const ReadVariable&);
std::filesystem::path hub_cache_folder();  ///< by the environment's variables

/// Returns the cached config.json of `ORGANISATION/MODEL`: that of the last fetched `main`,
/// otherwise that of the only commit there. Absent if it was not downloaded.
std::optional<std::filesystem::path> cached_config(const std::filesystem::path& cache,
                                                   std::string_view name);

}  // namespace yaml
}  // namespace tofn
