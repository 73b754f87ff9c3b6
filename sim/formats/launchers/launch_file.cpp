#include "sim/formats/launchers/launch_file.hpp"

#include <array>
#include <filesystem>
#include <utility>

#include "sim/core/file.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// Format for each ending of a file's name.
constexpr std::array<std::pair<std::string_view, LaunchFormat>, 8> endings{{
    {".sh", LaunchFormat::Shell},
    {".slurm", LaunchFormat::Shell},
    {".sbatch", LaunchFormat::Shell},
    {".yaml", LaunchFormat::Yaml},
    {".yml", LaunchFormat::Yaml},
    {".json", LaunchFormat::Json},
    {".toml", LaunchFormat::Toml},
    {".py", LaunchFormat::Python},
}};

/// Format by the file's name; otherwise JSON if the text starts with a brace, and a script if not.
LaunchFormat format_of(std::string_view path, std::string_view text) {
  for (const auto& [ending, format] : endings)
    if (path.ends_with(ending)) return format;
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && text[start] == '{' ? LaunchFormat::Json
                                                               : LaunchFormat::Shell;
}

/// Splits `recipe.py:llama3_70b` into the file and the name.
std::pair<std::string, std::string> split_name(const std::string& path) {
  const std::size_t colon = path.rfind(':');
  if (colon == std::string::npos || !path.substr(0, colon).ends_with(".py")) return {path, ""};
  return {path.substr(0, colon), path.substr(colon + 1)};
}

LaunchFile read_at_depth(std::string_view text, const std::string& path, int depth) {
  const auto [file_path, name] = split_name(path);
  check_text(text, file_path);
  LaunchFile file{.path = file_path, .format = format_of(file_path, text), .depth = depth};
  switch (file.format) {
    case LaunchFormat::Shell:
      read_shell_settings(std::string(text), file);
      break;
    case LaunchFormat::Yaml:
    case LaunchFormat::Json:
      read_yaml_settings(text, file);
      break;
    case LaunchFormat::Toml:
      read_toml_settings(text, file);
      break;
    case LaunchFormat::Python:
      read_python_settings(text, name, file);
      break;
  }
  return file;
}

}  // namespace

LaunchFile read_launch_file(const std::string& path) {
  return read_launch_text(read_text_file(split_name(path).first), path);
}

LaunchFile read_launch_text(std::string_view text, const std::string& path) {
  return read_at_depth(text, path, 0);
}

bool read_named_file(const std::string& name, LaunchFile& file) {
  constexpr int deepest = 8;
  if (file.depth == deepest)
    throw InputError({.file = file.path}, {}, "files name one another without an end");
  const std::filesystem::path folder = std::filesystem::path(file.path).parent_path();
  const std::filesystem::path base = std::filesystem::path(name).filename();
  for (const std::filesystem::path& path : {folder / name, folder / base}) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) continue;
    const LaunchFile named = read_at_depth(read_text_file(path), path.string(), file.depth + 1);
    file.settings.insert(file.settings.begin(), named.settings.begin(), named.settings.end());
    file.not_understood.insert(file.not_understood.end(), named.not_understood.begin(),
                               named.not_understood.end());
    return true;
  }
  return false;
}

}  // namespace formats
}  // namespace tofn
