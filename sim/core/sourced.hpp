#pragma once

#include <string>

namespace tofn {

/// A value and where it comes from. It reads as its value wherever a T is asked for.
template <class T>
struct Sourced {
  T value{};
  std::string source{};  ///< a public reference; empty or "assumed" when there is none

  bool is_assumed() const { return source.empty() || source == "assumed"; }
  // Implicit on purpose: arithmetic takes the value, reports take the source.
  operator const T&() const { return value; }  // NOLINT(google-explicit-constructor)
};

}  // namespace tofn
