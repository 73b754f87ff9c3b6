#pragma once

#include <cstddef>

namespace tofn::bench {

// This header is plain C++, because compilers of GPU code support less of the language.

/// The Adam step (Kingma & Ba, "Adam", 2015) of `count` fp32 parameters with fp32 moments and fp32
/// gradients, all in memory of the processor: 28 bytes of traffic per parameter.
struct AdamUpdate {
  float* parameters = nullptr;
  const float* gradients = nullptr;
  float* first_moments = nullptr;
  float* second_moments = nullptr;
  std::size_t count = 0;
};

/// Rates of the step as Kingma & Ba propose them; it is a late step, with bias corrections of 1.
struct AdamRates {
  float step = 1e-3F;
  float first_decay = 0.9F;
  float second_decay = 0.999F;
  float epsilon = 1e-8F;
};
inline constexpr AdamRates adam_rates{};

}  // namespace tofn::bench
