#include <stdexcept>
#include <string>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "microbench/cuda/cuda_call.hpp"
#include "microbench/cuda/kernels.hpp"

namespace tofn::bench {
namespace {

constexpr std::size_t threads = 256;

/// Number of blocks for at least `count` threads; at least one, because none is an error.
unsigned blocks_for(std::size_t count) { return static_cast<unsigned>(count / threads + 1); }

__device__ std::size_t thread_index() {
  return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

// A thread moves one float4. With all threads of a multiprocessor, 32 KiB are in flight there, more
// than memory's bandwidth times its latency. The first threads also move the rest after the last
// float4.

__global__ void copy(const float* from, float* to, std::size_t count) {
  const std::size_t i = thread_index();
  const std::size_t quads = count / 4;
  if (i < quads) reinterpret_cast<float4*>(to)[i] = reinterpret_cast<const float4*>(from)[i];
  if (i < count % 4) to[quads * 4 + i] = from[quads * 4 + i];
}

__global__ void triad(const float* a, const float* b, float scale, float* c, std::size_t count) {
  const std::size_t i = thread_index();
  const std::size_t quads = count / 4;
  if (i < quads) {
    const float4 p = reinterpret_cast<const float4*>(a)[i];
    const float4 q = reinterpret_cast<const float4*>(b)[i];
    reinterpret_cast<float4*>(c)[i] =
        make_float4(p.x + scale * q.x, p.y + scale * q.y, p.z + scale * q.z, p.w + scale * q.w);
  }
  if (i < count % 4) c[quads * 4 + i] = a[quads * 4 + i] + scale * b[quads * 4 + i];
}

__global__ void adam(AdamUpdate update, AdamRates rates) {
  const std::size_t i = thread_index();
  if (i >= update.count) return;
  const float gradient = update.gradients[i];
  const float first =
      rates.first_decay * update.first_moments[i] + (1 - rates.first_decay) * gradient;
  const float second = rates.second_decay * update.second_moments[i] +
                       (1 - rates.second_decay) * gradient * gradient;
  update.first_moments[i] = first;
  update.second_moments[i] = second;
  update.parameters[i] -= rates.step * first / (sqrtf(second) + rates.epsilon);
}

__global__ void nothing() {}

/// The finaliser of splitmix64 (Steele et al., 2014) applied to a counter, in [-1, 1).
__device__ float random_unit(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t bits = seed + index * 0x9e3779b97f4a7c15U;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9U;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebU;
  bits ^= bits >> 31;
  return static_cast<float>(bits >> 40) / static_cast<float>(1 << 23) - 1;  // 24 bits are exact
}

template <class Element>
__global__ void fill(Element* to, std::size_t count, std::uint64_t seed) {
  const std::size_t i = thread_index();
  if (i < count) to[i] = Element(random_unit(seed, i));
}

template <class Element>
void enqueue_fill(std::byte* to, std::size_t bytes, std::uint64_t seed, cudaStream_t stream) {
  const std::size_t count = bytes / sizeof(Element);
  fill<<<blocks_for(count), threads, 0, stream>>>(reinterpret_cast<Element*>(to), count, seed);
}

void check_launch(const char* kernel) { check_cuda(cudaGetLastError(), kernel); }

}  // namespace

void enqueue_copy(const float* from, float* to, std::size_t count, cudaStream_t stream) {
  copy<<<blocks_for(count / 4), threads, 0, stream>>>(from, to, count);
  check_launch("copy kernel");
}

void enqueue_triad(const float* a, const float* b, float scale, float* c, std::size_t count,
                   cudaStream_t stream) {
  triad<<<blocks_for(count / 4), threads, 0, stream>>>(a, b, scale, c, count);
  check_launch("triad kernel");
}

void enqueue_adam(const AdamUpdate& update, cudaStream_t stream) {
  adam<<<blocks_for(update.count), threads, 0, stream>>>(update, adam_rates);
  check_launch("Adam kernel");
}

void enqueue_empty(cudaStream_t stream) {
  nothing<<<1, 1, 0, stream>>>();
  check_launch("empty kernel");
}

void enqueue_random(std::byte* to, std::size_t bytes, std::string_view type, std::uint64_t seed,
                    cudaStream_t stream) {
  if (type == "fp32" || type == "tf32")
    enqueue_fill<float>(to, bytes, seed, stream);
  else if (type == "fp16")
    enqueue_fill<__half>(to, bytes, seed, stream);
  else if (type == "bf16")
    enqueue_fill<__nv_bfloat16>(to, bytes, seed, stream);
  else if (type == "fp8_e4m3")
    enqueue_fill<__nv_fp8_e4m3>(to, bytes, seed, stream);
  else
    throw std::runtime_error("no random elements of type " + std::string(type));
  check_launch("random kernel");
}

}  // namespace tofn::bench
