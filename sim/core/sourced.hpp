#pragma once

#include <string>

namespace tofn {

/// A value and its source. It converts to its value.
template <class T>
struct Sourced {
  T value{};
  std::string source{};  ///< a public reference; empty or "assumed" if there is none

  bool is_assumed() const { return source.empty() || source == "assumed"; }
  // The conversion is implicit on purpose: arithmetic uses the value, reports use the source.
  operator const T&() const { return value; }  // NOLINT(google-explicit-constructor)
};

}  // namespace tofn
