#pragma once

#include <array>
#include <cmath>
#include <cstdint>

namespace tofn {

/// xoshiro256++ seeded by splitmix64 (Blackman & Vigna, prng.di.unimi.it). The distributions of the
/// standard library would not do, because they differ between implementations.
class Random {
 public:
  explicit Random(std::uint64_t seed);

  /// 64 random bits.
  std::uint64_t bits();
  /// Uniform in (0, 1), both ends excluded.
  double uniform();
  /// Standard normal.
  double normal();

 private:
  std::array<std::uint64_t, 4> state_{};
};

/// Log-normal distribution about a centre, which is the median for any spread and may be negative.
struct Distribution {
  double relative_spread = 0;  ///< standard deviation of the logarithm

  /// Value that lies z standard deviations from the centre.
  double draw(double centre, double z) const { return centre * std::exp(relative_spread * z); }
};

}  // namespace tofn
