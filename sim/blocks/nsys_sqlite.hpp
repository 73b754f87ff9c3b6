#pragma once

#include <filesystem>

#include "sim/core/traced_kernel.hpp"

namespace tofn {
inline namespace blocks {

/// Kernels and copies of `nsys export --type sqlite`. InputError if the file is no such database or
/// has no kernels.
KernelTrace read_nsys_sqlite(const std::filesystem::path&);

}  // namespace blocks
}  // namespace tofn
