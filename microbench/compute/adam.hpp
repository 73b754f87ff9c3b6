#pragma once

#include <cstddef>

namespace tofn::bench {

// Plain enough for the compilers of GPU code, which lag behind in C++.

/// The Adam step (Kingma & Ba, "Adam", 2015) of `count` fp32 parameters with fp32 moments and fp32
/// gradients, all in memory of the processor: 28 bytes of traffic per parameter.
struct AdamUpdate {
  float* parameters = nullptr;
  const float* gradients = nullptr;
  float* first_moments = nullptr;
  float* second_moments = nullptr;
  std::size_t count = 0;
};

/// Its rates, those that Kingma & Ba propose; of a late step, whose bias corrections are 1.
struct AdamRates {
  float step = 1e-3F;
  float first_decay = 0.9F;
  float second_decay = 0.999F;
  float epsilon = 1e-8F;
};
inline constexpr AdamRates adam_rates{};

}  // namespace tofn::bench
