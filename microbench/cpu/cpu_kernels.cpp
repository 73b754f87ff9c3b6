#include "microbench/cpu/cpu_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <thread>
#include <vector>

#include <cblas.h>

namespace tofn::bench {
namespace {

/// Calls work(first, last) on equal parts of [0, count), one for each thread.
template <class Work>
void in_parallel(std::size_t count, const Work& work) {
  constexpr std::size_t least = 1 << 16;  // fewest elements that justify a thread
  const auto threads = std::clamp<std::size_t>(
      count / least, 1, static_cast<std::size_t>(std::max(openblas_get_num_threads(), 1)));
  const std::size_t part = (count + threads - 1) / threads;
  std::vector<std::jthread> others;
  for (std::size_t i = 1; i < threads; ++i)
    others.emplace_back(
        [&work, first = i * part, last = std::min((i + 1) * part, count)] { work(first, last); });
  work(0, std::min(part, count));
}

}  // namespace

void copy(const float* from, float* to, std::size_t count) {
  in_parallel(count, [=](std::size_t first, std::size_t last) {
    std::memcpy(to + first, from + first, (last - first) * sizeof(float));
  });
}

void triad(const float* a, const float* b, float* to, std::size_t count) {
  in_parallel(count, [=](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) to[i] = a[i] + triad_scale * b[i];
  });
}

void adam(const AdamUpdate& update) {
  const AdamRates rates = adam_rates;
  const AdamUpdate u = update;
  in_parallel(update.count, [=](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      const float gradient = u.gradients[i];
      const float moment =
          rates.first_decay * u.first_moments[i] + (1 - rates.first_decay) * gradient;
      const float square =
          rates.second_decay * u.second_moments[i] + (1 - rates.second_decay) * gradient * gradient;
      u.first_moments[i] = moment;
      u.second_moments[i] = square;
      u.parameters[i] -= rates.step * moment / (std::sqrt(square) + rates.epsilon);
    }
  });
}

}  // namespace tofn::bench
