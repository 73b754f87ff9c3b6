#include "sim/core/version.hpp"

// What changes with each commit and clone is a definition of this file alone, so that no other is
// compiled again for it.
#ifndef TOFN_VERSION
#define TOFN_VERSION "unknown"
#endif
#ifndef TOFN_GIT_DESCRIBE
#define TOFN_GIT_DESCRIBE "unknown"
#endif
#ifndef TOFN_CONFIGS_DIR
#define TOFN_CONFIGS_DIR "configs"
#endif

namespace tofn {

const char* const version_number = TOFN_VERSION;
const char* const git_description = TOFN_GIT_DESCRIBE;
const char* const built_beside = TOFN_CONFIGS_DIR;

}  // namespace tofn
