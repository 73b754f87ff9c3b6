#pragma once

#include <string>
#include <string_view>

namespace tofn {

/// Number of the release, "0.1.0".
extern const char* const version_number;
/// Commit of the build as git describes it; "unknown" without git's metadata.
extern const char* const git_description;
/// Date of that commit, `2026-11-23`; the date of the build without git's metadata.
extern const char* const commit_date;
/// `configs` of the source tree.
extern const char* const built_beside;

/// Output of `--version`: the program's name, release and commit, then one line for each library
/// that it was built with or without.
std::string version_text(std::string_view program);

}  // namespace tofn
