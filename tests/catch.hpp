#pragma once

// The only file that knows which Catch2 is installed: version 2 (Debian 12) or 3.
#define CATCH_CONFIG_ENABLE_OPTIONAL_STRINGMAKER  // a failure prints an optional's value
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#include <string>

#include "sim/core/quantity_text.hpp"

namespace Catch {

/// Prints amounts in failures with their unit and every digit, `2 ms == 2.1000000000000001 ms`.
/// Amounts whose unit has no name appear in base units.
template <int Time, int Data, int Work, int Energy>
struct StringMaker<tofn::Quantity<Time, Data, Work, Energy>> {
  using Amount = tofn::Quantity<Time, Data, Work, Energy>;
  static std::string convert(Amount amount) {
    if constexpr (requires { to_text(amount, 17); }) return to_text(amount, 17);
    return StringMaker<double>::convert(amount.base());
  }
};

}  // namespace Catch

namespace tofn::test {

using Catch::Matchers::Equals;
using Catch::Matchers::WithinAbs;
using Catch::Matchers::WithinRel;

/// Matches text that contains `part`.
inline auto ContainsText(const std::string& part) {
#if __has_include(<catch2/catch_all.hpp>)
  return Catch::Matchers::ContainsSubstring(part);
#else
  return Catch::Matchers::Contains(part);
#endif
}

}  // namespace tofn::test
