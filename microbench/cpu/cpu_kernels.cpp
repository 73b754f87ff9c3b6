#include "microbench/cpu/cpu_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <thread>
#include <vector>

#include <cblas.h>

namespace tofn::bench {
namespace {

/// Calls work(first, last) on equal parts of [0, count), one a thread.
template <class Work>
void in_parallel(std::size_t count, const Work& work) {
  constexpr std::size_t least = 1 << 16;  // elements that are worth the start of a thread
  const auto threads = std::clamp<std::size_t>(
      count / least, 1, static_cast<std::size_t>(std::max(openblas_get_num_threads(), 1)));
  const std::size_t part = (count + threads - 1) / threads;
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < threads; ++i)
    others.emplace_back([&work, first = i * part, last = std::min((i + 1) * part, count)] {
      work(first, last);
    });
  work(0, std::min(part, count));
}

}  // namespace

void copy(const float* from, float* to, std::size_t count) {
  in_parallel(count, [=](std::size_t first, std::size_t last) {
    std::memcpy(to + first, from + first, (last - first) * sizeof(float));
  });
}

void triad(const float* a, const float* b, float* to, std::size_t count) {
  constexpr float scale = 3;
  in_parallel(count, [=](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) to[i] = a[i] + scale * b[i];
  });
}

void adam(const AdamUpdate& update, int step) {
  constexpr float rate = 1e-3F;
  constexpr float beta1 = 0.9F;
  constexpr float beta2 = 0.999F;
  constexpr float epsilon = 1e-8F;
  const float correction1 = 1 - std::pow(beta1, static_cast<float>(step));
  const float correction2 = 1 - std::pow(beta2, static_cast<float>(step));
  const AdamUpdate u = update;
  in_parallel(update.count, [=](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const float gradient = u.gradients[i];
      u.first_moments[i] = beta1 * u.first_moments[i] + (1 - beta1) * gradient;
      u.second_moments[i] = beta2 * u.second_moments[i] + (1 - beta2) * gradient * gradient;
      u.parameters[i] -= rate * (u.first_moments[i] / correction1) /
                         (std::sqrt(u.second_moments[i] / correction2) + epsilon);
    }
  });
}

}  // namespace tofn::bench
