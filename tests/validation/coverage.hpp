#pragma once

#include <cstddef>

#include "sim/answers/compare_answer.hpp"

namespace tofn::test {

/// True if `holding` of `intervals` is plausible for independent intervals that each hold with
/// probability `promised`. It is not if so few, or so many, occur in less than one case in 40
/// (binomial). The limit was set for all tests of coverage before any share was known.
inline bool is_likely(std::size_t holding, std::size_t intervals, double promised) {
  constexpr double slack = 0.025;
  const bool too_few = chance_of_so_few(holding, intervals, promised) < slack;
  const bool too_many =
      holding > 0 && 1 - chance_of_so_few(holding - 1, intervals, promised) < slack;
  return !too_few && !too_many;
}

/// True unless too few intervals hold. They may be wider than promised.
inline bool is_not_too_few(std::size_t holding, std::size_t intervals, double promised) {
  return chance_of_so_few(holding, intervals, promised) >= 0.025;
}

}  // namespace tofn::test
