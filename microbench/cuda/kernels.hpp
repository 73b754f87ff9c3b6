#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <cuda_runtime.h>

#include "microbench/compute/adam.hpp"

namespace tofn::bench {

// Each function enqueues one kernel on the stream; std::runtime_error if it cannot be launched.

// Pointers of the next two are aligned to 16 bytes, as from allocators.

void enqueue_copy(const float* from, float* to, std::size_t count, cudaStream_t);
/// Computes c = a + scale * b.
void enqueue_triad(const float* a, const float* b, float scale, float* c, std::size_t count,
                   cudaStream_t);

void enqueue_adam(const AdamUpdate&, cudaStream_t);
void enqueue_empty(cudaStream_t);
/// Fills memory with elements of a GEMM type in [-1, 1], different for each seed.
void enqueue_random(std::byte* to, std::size_t bytes, std::string_view type, std::uint64_t seed,
                    cudaStream_t);

}  // namespace tofn::bench
