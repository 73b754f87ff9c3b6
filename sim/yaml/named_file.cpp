#include "sim/yaml/named_file.hpp"

#include <string>
#include <system_error>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/names.hpp"
#include "sim/core/standard_input.hpp"
#include "sim/yaml/hub_cache.hpp"

namespace tofn {
inline namespace yaml {

namespace fs = std::filesystem;

bool is_file_name(std::string_view text) {
  return text.ends_with(".yaml") || text.ends_with(".json") || is_standard_input(text);
}

namespace {

/// True for a name of Hugging Face's hub, which has one slash.
bool is_hub_name(std::string_view name) {
  const auto slash = name.find('/');
  return slash != 0 && slash != name.npos && slash + 1 < name.size() && slash == name.rfind('/');
}

std::string not_downloaded(std::string_view name) {
  return fmt::format(
      "there is no file {0}/config.json here, nor one of {0} in {1}: if that is a model of "
      "huggingface.co, `hf download {0} config.json` brings it there",
      name, hub_cache_folder().string());
}

}  // namespace

std::vector<fs::path> files_in(const fs::path& configs, std::string_view folder) {
  std::error_code error;
  std::vector<fs::path> files;
  for (const auto& entry : sorted_entries(configs / folder, error))
    if (entry.extension() == ".yaml") files.push_back(entry);
  if (error && error != std::errc::no_such_file_or_directory)
    throw InputError({.file = (configs / folder).string()}, {},
                     "cannot be read: " + error.message());
  return files;
}

fs::path file_named(const fs::path& configs, std::string_view folder, std::string_view what,
                    std::string_view name_or_file) {
  if (is_file_name(name_or_file)) return name_or_file;
  std::vector<std::string> names;
  for (const fs::path& file : files_in(configs, folder)) {
    if (file.stem() == name_or_file) return file;
    names.push_back(file.stem());
  }
  // A model may also be a folder with its config.json; downloaded models have a slash in their
  // name.
  std::error_code ignored;  // a name that is too long is no file either
  if (fs::path own = fs::path(name_or_file) / "config.json"; fs::is_regular_file(own, ignored))
    return own;
  if (folder == "models" && fs::is_directory(name_or_file, ignored))
    throw InputError({.file = std::string(name_or_file)}, {}, "is a folder without a config.json");
  if (folder == "models" && is_hub_name(name_or_file)) {
    if (const auto cached = cached_config(hub_cache_folder(), name_or_file)) return *cached;
    throw InputError(not_downloaded(name_or_file));
  }
  throw InputError(unknown_listed_name(what, name_or_file, names) +
                   (folder == "models" ? fmt::format("; {}", other_models) : ""));
}

std::string seen_from(const fs::path& folder, const std::string& name) {
  if (!is_file_name(name) || is_standard_input(name)) return name;
  const fs::path from = folder.empty() ? fs::current_path() : folder;
  return fs::proximate(name, from).string();
}

std::string found_from(const fs::path& folder, const std::string& name) {
  const bool is_path = is_file_name(name) && !is_standard_input(name);
  return is_path ? (folder / name).lexically_normal().string() : name;
}

}  // namespace yaml
}  // namespace tofn
