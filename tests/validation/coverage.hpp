#pragma once

#include <cstddef>

#include "sim/answers/compare_answer.hpp"

namespace tofn::test {

/// Whether so many of these intervals may hold though each is right with probability `promised` and
/// all are independent: unless so few, or so many, come in less than one case in 40 (binomial). Set
/// for all tests of coverage, before any share was looked at.
inline bool is_likely(std::size_t holding, std::size_t intervals, double promised) {
  constexpr double slack = 0.025;
  const bool too_few = chance_of_so_few(holding, intervals, promised) < slack;
  const bool too_many =
      holding > 0 && 1 - chance_of_so_few(holding - 1, intervals, promised) < slack;
  return !too_few && !too_many;
}

/// Likewise of too few alone: intervals may be wider than they promise.
inline bool is_not_too_few(std::size_t holding, std::size_t intervals, double promised) {
  return chance_of_so_few(holding, intervals, promised) >= 0.025;
}

}  // namespace tofn::test
