#include "sim/timeline/schedule.hpp"

#include <string>

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// `F0 B0`: kind and micro-batch; chunks above the first as letters (`F0 Fb0`).
std::string order_text(const PipelineShape& shape, int stage) {
  std::string text;
  for (const Pass& pass : stage_order(shape, stage)) {
    text += text.empty() ? "" : " ";
    text += "FBW"[static_cast<std::size_t>(pass.kind)];
    if (pass.chunk > 0) text += static_cast<char>('a' + pass.chunk);
    text += std::to_string(pass.micro_batch);
  }
  return text;
}

constexpr auto one_forward_one_backward = PipelineSchedule::OneForwardOneBackward;

}  // namespace

TEST_CASE("GPipe runs all forward passes first") {
  CHECK(order_text({PipelineSchedule::GPipe, 2, 1, 3}, 0) == "F0 F1 F2 B0 B1 B2");
}

// The figure of "breadth-first" in arXiv 2211.05953, looped placement.
TEST_CASE("breadth-first takes all micro-batches through a chunk before the next") {
  CHECK(order_text({PipelineSchedule::BreadthFirst, 2, 2, 3}, 0) ==
        "F0 F1 F2 Fb0 Fb1 Fb2 Bb0 Bb1 Bb2 B0 B1 B2");
  CHECK(order_text({PipelineSchedule::BreadthFirst, 2, 1, 3}, 1) ==
        order_text({PipelineSchedule::GPipe, 2, 1, 3}, 1));
}

// The figure of 1F1B in arXiv 2104.04473: four devices, eight micro-batches.
TEST_CASE("1F1B holds no more micro-batches than there are stages from here on") {
  CHECK(order_text({one_forward_one_backward, 4, 1, 8}, 0) ==
        "F0 F1 F2 F3 B0 F4 B1 F5 B2 F6 B3 F7 B4 B5 B6 B7");
  CHECK(order_text({one_forward_one_backward, 4, 1, 8}, 3) ==
        "F0 B0 F1 B1 F2 B2 F3 B3 F4 B4 F5 B5 F6 B6 F7 B7");
  CHECK(order_text({one_forward_one_backward, 4, 1, 2}, 0) == "F0 F1 B0 B1");
}

// Megatron-LM: 2 (stages behind) + (chunks - 1) stages passes of warm-up, groups of micro-batches.
TEST_CASE("interleaved 1F1B takes groups of micro-batches through all chunks") {
  CHECK(order_text({one_forward_one_backward, 2, 2, 4}, 0) ==
        "F0 F1 Fb0 Fb1 F2 Bb0 F3 Bb1 Fb2 B0 Fb3 B1 Bb2 Bb3 B2 B3");
  CHECK(order_text({one_forward_one_backward, 2, 2, 4}, 1) ==
        "F0 F1 Fb0 Bb0 Fb1 Bb1 F2 B0 F3 B1 Fb2 Bb2 Fb3 Bb3 B2 B3");
  CHECK(order_text({one_forward_one_backward, 2, 2, 3}, 1) ==
        "F0 F1 Fb0 Bb0 Fb1 Bb1 F2 B0 B1 Fb2 Bb2 B2");
}

// The figure of ZB-H1 in arXiv 2401.10241: weight gradients of stage s come s passes late.
TEST_CASE("zero-bubble runs weight gradients late, and the rest at the end") {
  CHECK(order_text({PipelineSchedule::ZeroBubble, 3, 1, 4}, 0) ==
        "F0 F1 F2 B0 W0 F3 B1 W1 B2 W2 B3 W3");
  CHECK(order_text({PipelineSchedule::ZeroBubble, 3, 1, 4}, 2) ==
        "F0 B0 F1 B1 F2 B2 W0 F3 B3 W1 W2 W3");
}
