#pragma once

#include <string>

#include "tests/standin/library/host_twin.hpp"

namespace tofn::standin {

/// Twin of `all_reduce<float>`, a kernel of microbench/nccl/device_kernels.cu; nullptr if the table
/// has none.
Twin collective_twin_of(const std::string& kernel);

}  // namespace tofn::standin
