#include "sim/yaml/hub_cache.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <vector>

namespace tofn {
inline namespace yaml {

namespace fs = std::filesystem;

namespace {

/// Replaces a leading `~` as a shell does.
fs::path expanded(const std::string& path, const ReadVariable& variable) {
  if (path == "~" || path.starts_with("~/"))
    return fs::path(variable("HOME").value_or("/")) /
           path.substr(std::min<std::size_t>(path.size(), 2));
  return path;
}

/// Folder name of a model, such as `models--meta-llama--Llama-3.1-8B`.
std::string folder_of(std::string_view name) {
  std::string folder = "models--";
  for (const char c : name) folder += c == '/' ? "--" : std::string(1, c);
  return folder;
}

}  // namespace

fs::path hub_cache_folder(const ReadVariable& variable) {
  for (const char* name : {"HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"})
    if (const auto folder = variable(name)) return expanded(*folder, variable);
  if (const auto home = variable("HF_HOME")) return expanded(*home, variable) / "hub";
  const auto caches = variable("XDG_CACHE_HOME");
  return (caches ? expanded(*caches, variable) : expanded("~/.cache", variable)) / "huggingface" /
         "hub";
}

fs::path hub_cache_folder() {
  return hub_cache_folder([](const char* name) -> std::optional<std::string> {
    const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
    return value != nullptr && *value != '\0' ? std::optional<std::string>(value) : std::nullopt;
  });
}

std::optional<fs::path> cached_config(const fs::path& cache, std::string_view name) {
  const fs::path repository = cache / folder_of(name);
  std::error_code error;
  std::string commit;
  std::ifstream(repository / "refs" / "main") >> commit;
  const fs::path of_main = repository / "snapshots" / commit / "config.json";
  if (!commit.empty() && fs::is_regular_file(of_main, error)) return of_main;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(repository / "snapshots", error))
    if (fs::is_regular_file(entry.path() / "config.json", error))
      found.push_back(entry.path() / "config.json");
  return found.size() == 1 ? std::optional(found.front()) : std::nullopt;
}

}  // namespace yaml
}  // namespace tofn
