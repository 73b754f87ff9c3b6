#include "tests/standin/library/host_twin.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "microbench/compute/adam.hpp"
#include "tests/standin/library/collective_twin.hpp"
#include "tests/standin/library/element_value.hpp"

namespace tofn::standin {
namespace {

using bench::AdamRates;
using bench::AdamUpdate;

/// Elements that threads reach, which move four each and the first ones one of the rest: ranges [0,
/// quads) and [count - rest, count).
struct Reached {
  std::size_t quads;
  std::size_t rest;
  Reached(std::size_t count, std::size_t threads)
      : quads(4 * std::min(count / 4, threads)), rest(std::min(count % 4, threads)) {}
};

template <class Each>
void for_each_reached(std::size_t count, std::size_t threads, Each each) {
  const Reached reached(count, threads);
  for (std::size_t i = 0; i < reached.quads; ++i) each(i);
  for (std::size_t i = 0; i < reached.rest; ++i) each(count / 4 * 4 + i);
}

Action copy(void** arguments, const Launch& launch) {
  return [from = argument<const float*>(arguments, 0), to = argument<float*>(arguments, 1),
          count = argument<std::size_t>(arguments, 2), threads = launch.threads](Gpu& gpu) {
    const float* source = gpu.array(from, count);
    float* target = gpu.array(to, count);
    for_each_reached(count, threads, [&](std::size_t i) { target[i] = source[i]; });
  };
}

Action triad(void** arguments, const Launch& launch) {
  return
      [from_a = argument<const float*>(arguments, 0), from_b = argument<const float*>(arguments, 1),
       scale = argument<float>(arguments, 2), to = argument<float*>(arguments, 3),
       count = argument<std::size_t>(arguments, 4), threads = launch.threads](Gpu& gpu) {
        const float* a = gpu.array(from_a, count);
        const float* b = gpu.array(from_b, count);
        float* c = gpu.array(to, count);
        for_each_reached(count, threads, [&](std::size_t i) { c[i] = a[i] + scale * b[i]; });
      };
}

Action adam(void** arguments, const Launch& launch) {
  return [update = argument<AdamUpdate>(arguments, 0), rates = argument<AdamRates>(arguments, 1),
          threads = launch.threads](Gpu& gpu) {
    float* parameters = gpu.array(update.parameters, update.count);
    const float* gradients = gpu.array(update.gradients, update.count);
    float* first_moments = gpu.array(update.first_moments, update.count);
    float* second_moments = gpu.array(update.second_moments, update.count);
    for (std::size_t i = 0; i < std::min(update.count, threads); ++i) {
      float& m = first_moments[i];
      float& v = second_moments[i];
      m = rates.first_decay * m + (1 - rates.first_decay) * gradients[i];
      v = rates.second_decay * v + (1 - rates.second_decay) * gradients[i] * gradients[i];
      parameters[i] -= rates.step * m / (std::sqrt(v) + rates.epsilon);
    }
  };
}

Action nothing(void** /*arguments*/, const Launch& /*launch*/) {
  return [](Gpu&) {};
}

/// A number in [-1, 1] that differs with the seed. The kernel promises no more.
float number_in_unit(std::uint64_t seed, std::uint64_t index) {
  std::uint64_t bits = (seed + 1) * 0xd1342543de82ef95U + index * 0x9e3779b97f4a7c15U;
  bits = (bits ^ (bits >> 32)) * 0xd6e8feb86659fd93U;
  bits = (bits ^ (bits >> 32)) * 0xd6e8feb86659fd93U;
  return static_cast<float>(bits >> 40) / static_cast<float>(1 << 23) - 1;
}

template <cudaDataType_t type>
Action fill(void** arguments, const Launch& launch) {
  return
      [to = argument<const std::byte*>(arguments, 0), count = argument<std::size_t>(arguments, 1),
       seed = argument<std::uint64_t>(arguments, 2), threads = launch.threads](Gpu& gpu) {
        const std::size_t filled = std::min(count, threads);
        std::vector<float> numbers(filled);
        for (std::size_t i = 0; i < filled; ++i) numbers[i] = number_in_unit(seed, i);
        encode(type, numbers.data(), gpu.at(to, count * bytes_of(type)), filled);
      };
}

constexpr std::array<std::pair<std::string_view, Twin>, 8> twins{
    {{"copy", copy},
     {"triad", triad},
     {"adam", adam},
     {"nothing", nothing},
     {"fill<float>", fill<CUDA_R_32F>},
     {"fill<__half>", fill<CUDA_R_16F>},
     {"fill<__nv_bfloat16>", fill<CUDA_R_16BF>},
     {"fill<__nv_fp8_e4m3>", fill<CUDA_R_8F_E4M3>}}};

}  // namespace

Twin twin_of(const std::string& kernel) {
  for (const auto& [name, twin] : twins)
    if (name == kernel) return twin;
  return collective_twin_of(kernel);
}

}  // namespace tofn::standin
