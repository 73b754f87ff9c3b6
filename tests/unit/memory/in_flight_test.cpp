#include <algorithm>
#include <string_view>
#include <vector>

#include "sim/memory/footprint.hpp"
#include "sim/timeline/schedule.hpp"
#include "tests/catch.hpp"

using namespace tofn;

namespace {

Plan pipeline(int stages, int micro_batches, int chunks = 1,
              PipelineSchedule schedule = PipelineSchedule::OneForwardOneBackward) {
  Plan plan;
  plan.pipeline_parallel_size = stages;
  plan.gradient_accumulation = micro_batches;
  plan.chunks_per_stage = chunks;
  plan.schedule = schedule;
  return plan;
}

int chunks_in_flight(const Plan& plan, int stage) {
  int sum = 0;
  for (int chunk = 0; chunk < plan.chunks_per_stage; ++chunk)
    sum += micro_batches_in_flight(plan, stage, chunk);
  return sum;
}

/// Micro-batches of each chunk at the moment when the stage holds most, from a run of Megatron-LM's
/// interleaved order: warm-up, then one forward, one backward.
std::vector<int> held_at_peak(const Plan& plan, int stage) {
  const int p = plan.pipeline_parallel_size;
  const int v = plan.chunks_per_stage;
  const int all = plan.gradient_accumulation * v;
  const int warm_up = std::min(all, (p - stage - 1) * 2 + (v - 1) * p);
  const auto chunk_of = [&](int pass) { return static_cast<std::size_t>(pass / p % v); };
  std::vector<int> held(static_cast<std::size_t>(v)), peak;
  int sum = 0;
  int most = 0;
  int forward = 0;
  int backward = 0;
  const auto run_forward = [&] {
    ++held[chunk_of(forward++)];
    if (++sum > most) {
      most = sum;
      peak = held;
    }
  };
  while (forward < warm_up) run_forward();
  for (; backward < all; --sum) {
    if (forward < all) run_forward();
    --held[static_cast<std::size_t>(v - 1) - chunk_of(backward++)];
  }
  return peak;
}

}  // namespace

TEST_CASE("GPipe holds every micro-batch, 1F1B those that later stages have not returned") {
  for (int stage = 0; stage < 4; ++stage) {
    CHECK(micro_batches_in_flight(pipeline(4, 16, 1, PipelineSchedule::GPipe), stage, 0) == 16);
    CHECK(micro_batches_in_flight(pipeline(4, 10, 3, PipelineSchedule::BreadthFirst), stage, 1) ==
          10);
    CHECK(micro_batches_in_flight(pipeline(4, 16), stage, 0) == 4 - stage);
    CHECK(micro_batches_in_flight(pipeline(4, 16, 1, PipelineSchedule::ZeroBubble), stage, 0) ==
          4 - stage);
  }
  CHECK(micro_batches_in_flight(pipeline(8, 3), 0, 0) == 3);
  CHECK(micro_batches_in_flight(pipeline(1, 16), 0, 0) == 1);
  CHECK(micro_batches_in_flight(pipeline(1, 16, 1, PipelineSchedule::GPipe), 0, 0) == 1);
}

PipelineSchedule schedule_of_name(std::string_view wanted) {
  return std::find_if(pipeline_schedules.begin(), pipeline_schedules.end(),
                      [&](const auto& row) { return row.first == wanted; })
      ->second;
}

// Section 4 of arXiv 2211.05322: warm-up grows from one to two micro-batches for each later stage.
TEST_CASE("eager 1F1B holds two micro-batches for each stage behind, 1F1B one") {
  const PipelineSchedule eager = schedule_of_name("eager-1f1b");
  for (const int p : {2, 4, 8})
    for (int stage = 0; stage < p; ++stage) {
      CHECK(micro_batches_in_flight(pipeline(p, 4 * p, 1, eager), stage, 0) - 1 ==
            2 * (micro_batches_in_flight(pipeline(p, 4 * p), stage, 0) - 1));
      CHECK(micro_batches_in_flight(pipeline(p, 2, 1, eager), stage, 0) ==
            (stage == p - 1 ? 1 : 2));
    }
}

TEST_CASE("interleaving holds 1 + (p - 1)/(p v) of all layers on the first stage") {
  for (const int p : {2, 4, 8, 35})
    for (const int v : {2, 3, 5}) {
      const double share = chunks_in_flight(pipeline(p, 8 * p, v), 0) / (1.0 * p * v);
      CHECK(share == Approx(1 + (p - 1.0) / (p * v)).epsilon(1e-12));
    }
}

TEST_CASE("interleaved chunks hold what a run of the schedule finds") {
  for (const int p : {2, 3, 4, 8})
    for (const int v : {2, 3, 4})
      for (const int groups : {1, 2, 5}) {
        const Plan plan = pipeline(p, groups * p, v);
        for (int stage = 0; stage < p; ++stage) {
          const auto held = held_at_peak(plan, stage);
          for (int chunk = 0; chunk < v; ++chunk) {
            CAPTURE(p, v, groups, stage, chunk);
            CHECK(micro_batches_in_flight(plan, stage, chunk) ==
                  held[static_cast<std::size_t>(chunk)]);
          }
        }
      }
}

// The passes of a pair go through the layers in opposite directions. Together they hold one
// micro-batch, plus the layer that one has finished before the other has freed its own.
TEST_CASE("pairs of passes hold as many micro-batches as others") {
  for (Plan plan : {pipeline(1, 8), pipeline(4, 16, 3)}) {
    Plan paired = plan;
    paired.expert_overlap = true;
    for (int stage = 0; stage < plan.pipeline_parallel_size; ++stage)
      CHECK(chunks_in_flight(paired, stage) == chunks_in_flight(plan, stage));
  }
}

TEST_CASE("a pair holds a layer's activations more") {
  LayerWork layer{.name = "layer", .count = 12};
  layer.activations = Bytes{1e9};
  const std::vector<LayerWork> layers{layer};
  Plan plan = pipeline(1, 8);
  const auto held = [&] { return footprints(layers, plan, {}).front().activations.base(); };
  CHECK(held() == 12e9);
  plan.expert_overlap = true;
  CHECK(held() == 13e9);
  plan.gradient_accumulation = 1;  // no other micro-batch to pair with
  CHECK(held() == 12e9);
}

// dualpipe-v's table has p + 1 of 2 p stages of half a rank's layers, so 2 p + 1 on p ranks.
TEST_CASE("dualpipe-v holds a chunk more than zb-v, as a run of the schedule finds") {
  const PipelineSchedule dual = schedule_of_name("dualpipe-v");
  for (const int p : {2, 3, 4, 8})
    for (int m = 2 * p; m <= 4 * p; ++m) {
      const Plan plan = pipeline(p, m, 2, dual);
      for (int stage = 0; stage < p; ++stage) {
        CAPTURE(p, m, stage);
        std::vector<int> held(2), peak(2);
        for (const Pass& pass : stage_order(shape_of(plan), stage)) {
          int& own = held[static_cast<std::size_t>(pass.chunk)];
          if (pass.kind == PassKind::Forward) ++own;
          if (pass.kind == PassKind::WeightGradients || pass.whole) --own;
          if (held[0] + held[1] > peak[0] + peak[1]) peak = held;
        }
        CHECK(micro_batches_in_flight(plan, stage, 0) == std::min(m, peak[0]));
        CHECK(micro_batches_in_flight(plan, stage, 1) == peak[1]);
        CHECK(chunks_in_flight(plan, stage) == 2 * p + 1);
      }
    }
}

// Activations stay until the weight gradients that need them are computed.
TEST_CASE("zb-v holds p micro-batches of both chunks at most, as a run of the schedule finds") {
  for (const int p : {2, 3, 4, 8})
    for (int m = 1; m <= 3 * p; ++m) {
      const Plan plan = pipeline(p, m, 2, PipelineSchedule::ZeroBubbleV);
      for (int stage = 0; stage < p; ++stage) {
        CAPTURE(p, m, stage);
        std::vector<int> held(2), peak(2);
        for (const Pass& pass : stage_order(shape_of(plan), stage)) {
          int& own = held[static_cast<std::size_t>(pass.chunk)];
          if (pass.kind == PassKind::Forward) ++own;
          if (pass.kind == PassKind::WeightGradients) --own;
          if (held[0] + held[1] > peak[0] + peak[1]) peak = held;
        }
        CHECK(micro_batches_in_flight(plan, stage, 0) == peak[0]);
        CHECK(micro_batches_in_flight(plan, stage, 1) == peak[1]);
        if (m >= 2 * p) CHECK(chunks_in_flight(plan, stage) == 2 * p);
      }
    }
}
