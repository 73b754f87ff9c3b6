#include "sim/core/random.hpp"

#include <bit>
#include <cmath>
#include <numbers>

namespace tofn {
namespace {

/// Next value of splitmix64, whose outputs for neighbouring states do not resemble each other.
std::uint64_t splitmix64(std::uint64_t& state) {
  state += 0x9E3779B97F4A7C15U;
  std::uint64_t z = state;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

}  // namespace

Random::Random(std::uint64_t seed) {
  for (std::uint64_t& word : state_) word = splitmix64(seed);
}

std::uint64_t Random::bits() {
  auto& s = state_;
  const std::uint64_t result = std::rotl(s[0] + s[3], 23) + s[0];
  const std::uint64_t shifted = s[1] << 17U;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = std::rotl(s[3], 45);
  return result;
}

double Random::uniform() {
  // 52 bits and a half: every value is exact, and neither 0 nor 1 can occur.
  return (static_cast<double>(bits() >> 12U) + 0.5) * 0x1p-52;
}

double Random::normal() {
  // Box & Muller 1958. The second value of the pair is dropped so that a copy has no hidden state.
  const double radius = std::sqrt(-2.0 * std::log(uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

}  // namespace tofn
