#include "sim/workload/workload.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

// The toy has 200 TFLOP/s in fp8 and 100 in bf16.
TEST_CASE("at full peak products and attention take their own precision's time") {
  const Accelerator toy = toy_machine().accelerator;
  const PassPrecision mixed{.matmul = Precision::Fp8, .attention = Precision::Bf16};
  CHECK_THAT(ideal_time(2_TFLOP, 1_TFLOP, toy, mixed).base(), WithinRel(0.020, 1e-12));
  const WorkTotals work{.matmul_forward = 2_TFLOP,
                        .matmul_backward = 4_TFLOP,
                        .attention_forward = 1_TFLOP,
                        .attention_backward = 2_TFLOP,
                        .forward_operators = 3,
                        .backward_operators = 6};
  CHECK_THAT(ideal_time(work, toy, mixed).base(), WithinRel(0.060, 1e-12));
  CHECK_THAT(ideal_time(work, toy, {}).base(), WithinRel(0.090, 1e-12));
}
