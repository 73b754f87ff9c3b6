#pragma once

#include <string>
#include <string_view>

namespace tofn {

/// The release, "0.1.0".
extern const char* const version_number;
/// The commit that it was built from as git describes it; "unknown" without git's metadata.
extern const char* const git_description;
/// The day of that commit, `2026-11-23`; without git's metadata that of the build.
extern const char* const commit_date;
/// `configs` of the tree that it was built from.
extern const char* const built_beside;

/// What `--version` prints: the program's name, release and commit, then a line for each library
/// that it was built with or without.
std::string version_text(std::string_view program);

}  // namespace tofn
