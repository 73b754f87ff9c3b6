#pragma once

#include <cstddef>
#include <cstring>
#include <string>

#include "tests/standin/library/gpu.hpp"

namespace tofn::standin {

/// Number of blocks and threads of a launch.
struct Launch {
  std::size_t blocks = 0;
  std::size_t threads = 0;  ///< in all blocks
};

/// Makes a loop on the host that does what a kernel does. It copies the kernel's arguments at once.
using Twin = Action (*)(void** arguments, const Launch&);

/// Argument of the kernel with this index.
template <class Value>
Value argument(void** arguments, std::size_t index) {
  Value value;
  std::memcpy(static_cast<void*>(&value), arguments[index], sizeof value);
  return value;
}

/// Twin of a kernel such as `copy` or `fill<float>` of microbench/cuda/kernels.cu, or of
/// collective_twin.hpp; nullptr if the tables have none.
Twin twin_of(const std::string& kernel);

}  // namespace tofn::standin
