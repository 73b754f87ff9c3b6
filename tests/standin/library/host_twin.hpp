#pragma once

#include <cstddef>
#include <cstring>
#include <string>

#include "tests/standin/library/gpu.hpp"

namespace tofn::standin {

/// What a kernel is launched with.
struct Launch {
  std::size_t blocks = 0;
  std::size_t threads = 0;  ///< of all blocks
};

/// What a kernel does, as a loop on the host: made of its arguments, which are taken at once, and
/// its launch.
using Twin = Action (*)(void** arguments, const Launch&);

/// The kernel's argument of this index.
template <class Value>
Value argument(void** arguments, std::size_t index) {
  Value value;
  std::memcpy(static_cast<void*>(&value), arguments[index], sizeof value);
  return value;
}

/// The twin of `copy` or `fill<float>`, a kernel of microbench/cuda/kernels.cu, or of one of
/// collective_twin.hpp; nullptr where the tables have none.
Twin twin_of(const std::string& kernel);

}  // namespace tofn::standin
