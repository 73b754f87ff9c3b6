#include "sim/training/run_figures.hpp"

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("10^15 FLOPs a second for a day are one petaFLOP/s-day") {
  CHECK_THAT(petaflop_per_second_days(Flops{1e15 * 24 * 3600}), WithinRel(1.0, 1e-12));
  // GPT-3 175B took 3.14e23 FLOPs, 3,640 petaFLOP/s-days (Brown et al., 2020, table D.1).
  CHECK_THAT(petaflop_per_second_days(Flops{3.14e23}), WithinRel(3640.0, 0.005));
}
