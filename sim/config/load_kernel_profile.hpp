#pragma once

#include <filesystem>
#include <string_view>

#include "sim/kernel/kernel_profile.hpp"

namespace tofn {
inline namespace config {

class YamlNode;

/// Mistakes are InputErrors at file, line and column.
KernelProfile read_kernel_profile(const YamlNode& root);
KernelProfile load_kernel_profile(const std::filesystem::path&);

/// A path (it ends in .yaml), or the name of a file of kernels/. InputError with the valid names.
KernelProfile find_kernel_profile(const std::filesystem::path& configs,
                                  std::string_view name_or_file);

}  // namespace config
}  // namespace tofn
