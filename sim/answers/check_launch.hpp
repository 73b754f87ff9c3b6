#pragma once

#include <filesystem>
#include <optional>

#include "sim/answers/check_log.hpp"

namespace tofn {
inline namespace answers {

/// Content of a launch file; absent if it holds no key of a launcher. InputError if the launcher's
/// files are not read.
std::optional<FileContent> check_launch_file(const std::filesystem::path& file,
                                             const std::filesystem::path& configs);

}  // namespace answers
}  // namespace tofn
