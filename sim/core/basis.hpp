#pragma once

#include <algorithm>
#include <string_view>

namespace tofn {

/// Basis of a figure, strongest first.
enum class Basis { Measured, Interpolated, Extrapolated, Formula, Assumed };

/// Basis of a figure made from two others.
constexpr Basis weakest(Basis a, Basis b) { return std::max(a, b); }

constexpr std::string_view to_text(Basis basis) {
  switch (basis) {
    case Basis::Measured:
      return "measured";
    case Basis::Interpolated:
      return "interpolated";
    case Basis::Extrapolated:
      return "extrapolated";
    case Basis::Formula:
      return "formula";
    case Basis::Assumed:
      break;
  }
  return "assumed";
}

}  // namespace tofn
