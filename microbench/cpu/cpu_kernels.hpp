#pragma once

#include <cstddef>

#include "microbench/compute/processor.hpp"

namespace tofn::bench {

// Plain loops that the compiler vectorises, on as many threads as OpenBLAS uses, with equal shares
// of the elements.

void copy(const float* from, float* to, std::size_t count);
/// Computes to = a + 3 b.
void triad(const float* a, const float* b, float* to, std::size_t count);
void adam(const AdamUpdate&);

}  // namespace tofn::bench
