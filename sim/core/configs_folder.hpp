#pragma once

#include <filesystem>

namespace tofn {

/// The files that a program at `prefix`/bin/NAME was installed with, `prefix`/share/tofn/configs;
/// of a program that was not installed `otherwise`. An installed tree may be moved.
std::filesystem::path configs_beside(const std::filesystem::path& program,
                                     const std::filesystem::path& otherwise);

/// TOFN_CONFIGS, else the folder installed with this program, else that of the tree it was built
/// from.
std::filesystem::path default_configs();

}  // namespace tofn
