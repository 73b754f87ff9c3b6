#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/yaml_document.hpp"

// Files say which form they have by their key `format`; who says none has the first one. Files of
// an older form are read as what `tofn check --upgrade` makes of them.

namespace tofn {
inline namespace config {

inline constexpr std::string_view format_key = "format";
inline constexpr int newest_format = 2;

/// The line that files of the newest format have.
inline std::string format_line() {
  return std::string(format_key) + ": " + std::to_string(newest_format) + "\n";
}

/// A key that has another name since that format.
struct RenamedKey {
  int since;
  std::string_view kind_key;  ///< that files of the kind have (`axes`: sweeps)
  std::string_view path;      ///< from the root
  std::string_view name;      ///< now
};
inline constexpr std::array renamed_keys{RenamedKey{2, "axes", "base.kernels", "stack"},
                                         RenamedKey{2, "simulated", "simulated.kernels", "stack"}};

/// Reads a document's format and gives its keys their new names, said as `base.kernels is stack`.
/// InputError where the format is none, or newer than the newest.
std::vector<std::string> bring_up_to_date(YamlDocument&);

/// A file's text with the newest format and names, its comments as they are, and what changed.
struct UpgradedText {
  std::string text;
  std::vector<std::string> changes;
};
UpgradedText upgraded_text(const std::string& text, const std::string& file);

}  // namespace config
}  // namespace tofn
