#pragma once

#include <cstddef>
#include <string>

#include "tests/standin/library/gpu.hpp"

namespace tofn::standin {

/// What a kernel does, as a loop on the host: made of its arguments, which are taken at once, and
/// the threads that it was launched with.
using Twin = Action (*)(void** arguments, std::size_t threads);

/// The twin of `copy` or `fill<float>`, a kernel of microbench/cuda/kernels.cu; nullptr where the
/// table has none.
Twin twin_of(const std::string& kernel);

}  // namespace tofn::standin
