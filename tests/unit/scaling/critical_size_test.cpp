#include "sim/scaling/critical_size.hpp"

#include "tests/catch.hpp"

using namespace tofn;

namespace {

/// A step that computes for a second and communicates for `share` of it.
StepTimes step_of(double share) {
  StepTimes step;
  step.parts[static_cast<std::size_t>(StepPart::Compute)] = Seconds{1};
  step.communication = Seconds{share};
  return step;
}

}  // namespace

TEST_CASE("N_crit is the first size whose step communicates as long as it computes") {
  for (const int critical : {1, 8, 9, 300, 999, 1000}) {
    INFO(critical);
    const auto step = [&](int size) { return std::optional(step_of(1.0 * size / critical)); };
    CHECK(critical_size(step, {.first = 1, .last = 1000, .stride = 1}) == critical);
  }
  const auto step = [](int size) { return std::optional(step_of(size / 1001.0)); };
  CHECK(critical_size(step, {.first = 1, .last = 1000, .stride = 1}) == std::nullopt);
}

TEST_CASE("N_crit is a size that the job splits over") {
  const auto of_even = [](int size) {
    return size % 64 == 0 ? std::optional(step_of(size / 300.0)) : std::nullopt;
  };
  CHECK(critical_size(of_even, {.first = 8, .last = 1000, .stride = 8}) == 320);
  const auto of_none = [](int) { return std::optional<StepTimes>(); };
  CHECK(critical_size(of_none, {.first = 8, .last = 1000, .stride = 8}) == std::nullopt);
}
