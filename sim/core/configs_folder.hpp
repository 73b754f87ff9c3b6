#pragma once

#include <filesystem>

namespace tofn {

/// The configs that a program, library or module was installed with: share/tofn/configs of its
/// folder or of one of the four above (lib/python3/dist-packages/tofn/_tofn.so); of one that was
/// not installed `otherwise`. An installed tree may be moved.
std::filesystem::path configs_beside(const std::filesystem::path& object,
                                     const std::filesystem::path& otherwise);

/// TOFN_CONFIGS, else the folder installed with this program or library, else that of the tree it
/// was built from.
std::filesystem::path default_configs();

}  // namespace tofn
