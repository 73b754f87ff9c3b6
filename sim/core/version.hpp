#pragma once

namespace tofn {

/// The release, "0.1.0".
extern const char* const version_number;
/// The commit that it was built from as git describes it; "unknown" without git's metadata.
extern const char* const git_description;
/// `configs` of the tree that it was built from.
extern const char* const built_beside;

}  // namespace tofn
