#pragma once

#include <filesystem>

namespace tofn {

/// Configs that a program, library or module was installed with: share/tofn/configs in its folder
/// or in one of the four above it (lib/python3/dist-packages/tofn/_tofn.so). Returns `otherwise` if
/// it was not installed. An installed tree may be moved.
std::filesystem::path configs_beside(const std::filesystem::path& object,
                                     const std::filesystem::path& otherwise);

/// Default folder of configs: TOFN_CONFIGS if set, otherwise the folder installed with this program
/// or library, otherwise that of the source tree.
std::filesystem::path default_configs();

}  // namespace tofn
