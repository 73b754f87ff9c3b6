#pragma once

#include <string>

#include "tests/standin/library/host_twin.hpp"

namespace tofn::standin {

/// The twin of `all_reduce<float>`, a kernel of microbench/nccl/device_kernels.cu; nullptr where
/// the table has none.
Twin collective_twin_of(const std::string& kernel);

}  // namespace tofn::standin
