#include "sim/compute/profile.hpp"

#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

WorkTotals some_work() {
  return {.matmul_forward = 2_TFLOP,
          .matmul_backward = 4_TFLOP,
          .attention_forward = 1_TFLOP,
          .attention_backward = 2_TFLOP,
          .forward_operators = 3,
          .backward_operators = 6};
}

/// Attention in bf16.
ComputeProfile half_of_peak(Precision matmul) {
  ComputeProfile profile;
  profile.precision = {.matmul = matmul, .attention = Precision::Bf16};
  profile.efficiency = 0.5;
  profile.overhead = 9_ms;
  return profile;
}

double milliseconds(Seconds time) { return time.base() * 1e3; }

}  // namespace

// The toy has 200 TFLOP/s at fp8 and 100 at bf16.
TEST_CASE("a pass, by hand") {
  const PassTime time =
      pass_time(some_work(), toy_machine().accelerator, half_of_peak(Precision::Fp8), 4, 1);
  CHECK_THAT(milliseconds(time.matmul_forward), WithinRel(80.0, 1e-12));  // 4 x 2 / 100
  CHECK_THAT(milliseconds(time.matmul_backward), WithinRel(160.0, 1e-12));
  CHECK_THAT(milliseconds(time.attention_forward), WithinRel(80.0, 1e-12));  // 4 x 1 / 50
  CHECK_THAT(milliseconds(time.attention_backward), WithinRel(160.0, 1e-12));
  CHECK_THAT(milliseconds(time.overhead_forward), WithinRel(3.0, 1e-12));  // 3 of 9 operators
  CHECK_THAT(milliseconds(time.overhead_backward), WithinRel(6.0, 1e-12));
  CHECK_THAT(milliseconds(time.forward()), WithinRel(163.0, 1e-12));
  CHECK_THAT(milliseconds(time.backward()), WithinRel(326.0, 1e-12));
  CHECK_THAT(milliseconds(time.arithmetic()), WithinRel(480.0, 1e-12));
  CHECK_THAT(milliseconds(time.overhead()), WithinRel(9.0, 1e-12));
}

TEST_CASE("splitting a sample splits its arithmetic but not its overhead") {
  const PassTime time =
      pass_time(some_work(), toy_machine().accelerator, half_of_peak(Precision::Fp8), 4, 8);
  CHECK_THAT(milliseconds(time.arithmetic()), WithinRel(60.0, 1e-12));
  CHECK_THAT(milliseconds(time.overhead()), WithinRel(9.0, 1e-12));
}

TEST_CASE("attention stays in 16 bit unless it is switched") {
  CHECK(pass_precision(Precision::Fp8, false).matmul == Precision::Fp8);
  CHECK(pass_precision(Precision::Fp8, false).attention == Precision::Bf16);
  CHECK(pass_precision(Precision::Fp8, true).attention == Precision::Fp8);
  CHECK(pass_precision(Precision::Fp16, true).attention == Precision::Fp16);
}

TEST_CASE("without operators the overhead is halved") {
  WorkTotals work = some_work();
  work.forward_operators = 0;
  work.backward_operators = 0;
  const PassTime time =
      pass_time(work, toy_machine().accelerator, half_of_peak(Precision::Bf16), 1, 1);
  CHECK_THAT(milliseconds(time.overhead_forward), WithinRel(4.5, 1e-12));
  CHECK_THAT(milliseconds(time.overhead_backward), WithinRel(4.5, 1e-12));
}
