#pragma once

#include <algorithm>

#include "sim/core/basis.hpp"
#include "sim/core/quantity.hpp"

namespace tofn {

/// A time and its basis. `Cost{}` is neutral in sums and in max.
struct Cost {
  Seconds time{};
  Basis basis = Basis::Measured;

  constexpr Cost& operator+=(const Cost& other) {
    time += other.time;
    basis = weakest(basis, other.basis);
    return *this;
  }
  friend constexpr Cost operator+(Cost a, const Cost& b) { return a += b; }
  friend constexpr Cost operator*(const Cost& cost, double factor) {
    return {cost.time * factor, cost.basis};
  }
  friend constexpr Cost operator*(double factor, const Cost& cost) { return cost * factor; }
  constexpr bool operator==(const Cost&) const = default;
};

/// The longer of two costs that run side by side. Its basis is the weaker of both, because both
/// decide which one is longer.
constexpr Cost max(const Cost& a, const Cost& b) {
  return {std::max(a.time, b.time), weakest(a.basis, b.basis)};
}

}  // namespace tofn
