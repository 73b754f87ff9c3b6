#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "sim/yaml/yaml_document.hpp"

// Files state their format under the key `format`; without it the format is 1. Files of an older
// format are read as `tofn check --upgrade` rewrites them.

namespace tofn {
inline namespace yaml {

inline constexpr std::string_view format_key = "format";
inline constexpr int newest_format = 2;

/// Returns the `format` line of the newest format.
inline std::string format_line() {
  return std::string(format_key) + ": " + std::to_string(newest_format) + "\n";
}

/// A key that was renamed in a format.
struct RenamedKey {
  int since;
  std::string_view kind_key;  ///< a key that identifies the kind of file (`axes`: sweeps)
  std::string_view path;      ///< from the root
  std::string_view name;      ///< new name
};
inline constexpr std::array renamed_keys{RenamedKey{2, "axes", "base.kernels", "stack"},
                                         RenamedKey{2, "simulated", "simulated.kernels", "stack"}};

/// Renames the keys of a document by its format, and returns the changes as `base.kernels is
/// stack`. InputError if the format is invalid or newer than the newest.
std::vector<std::string> bring_up_to_date(YamlDocument&);

/// A file's text in the newest format, with its comments kept, and the list of changes.
struct UpgradedText {
  std::string text;
  std::vector<std::string> changes;
};
UpgradedText upgraded_text(const std::string& text, const std::string& file);

}  // namespace yaml
}  // namespace tofn
