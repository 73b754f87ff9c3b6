#pragma once

#include <array>
#include <cstdint>

namespace tofn {

/// xoshiro256++ seeded by splitmix64 (Blackman & Vigna, prng.di.unimi.it). The standard's engines
/// would do, its distributions would not: they differ between libraries.
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

}  // namespace tofn
