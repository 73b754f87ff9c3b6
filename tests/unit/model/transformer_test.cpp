#include <cmath>

#include "tests/catch.hpp"
#include "tests/unit/model/models.hpp"

// The layer of arXiv 2205.05198 counted by hand: 22B, eight ranks, four samples of 2048 tokens.
using namespace tofn;
using namespace tofn::test;

namespace {

constexpr double tokens = 8192;
constexpr double hidden = 6144;
constexpr double stream = tokens * hidden;
constexpr double scores = 4 * 8 * 2048.0 * 2048;  // four samples, eight heads

Plan megatron_plan() {
  return {.tensor_parallel_size = 8, .micro_batch = 4, .recompute = Recompute::None};
}
LayerWork layer_22b(const Plan& plan) {
  return transformer_layer(shipped_model("megatron-22b"), plan);
}

}  // namespace

TEST_CASE("a layer launches 14 kernels forward and 29 backward") {
  const LayerWork layer = layer_22b(megatron_plan());
  CHECK(launches(layer.forward) == 14);
  CHECK(launches(layer.backward) == 29);
}

TEST_CASE("products of a layer: a rank's eighth of the published work") {
  // Forward 24 b s h^2 + 4 b s^2 h, and twice that backward.
  const double whole = 24 * tokens * hidden * hidden + 4 * tokens * 2048 * hidden;
  const LayerWork layer = layer_22b(megatron_plan());
  CHECK_THAT(gigaflop(layer.forward), WithinRel(whole / 8e9, 1e-12));
  CHECK_THAT(gigaflop(layer.backward), WithinRel(2 * whole / 8e9, 1e-12));
}

TEST_CASE("weight gradients are marked, and accumulate in fp32") {
  double marked = 0;
  for (const Kernel& kernel : layer_22b(megatron_plan()).backward.kernels)
    if (kernel.is_weight_gradient) {
      marked += kernel.flops().base();
      CHECK(kernel.written == 8);
      CHECK(kernel.k == tokens);
    }
  CHECK_THAT(marked, WithinRel(24 * tokens * hidden * hidden / 8, 1e-12));
}

TEST_CASE("element-wise kernels move what they read and write") {
  const LayerWork layer = layer_22b(megatron_plan());
  const double inner = tokens * 4 * hidden / 8;
  // Two norms and two sums; softmax and dropout; GELU; the layout of the context.
  const double forward = 2 * (4 + 7) * stream + (4 + 5) * scores + 4 * inner + 4 * stream / 8;
  CHECK_THAT(moved_bytes(layer.forward), WithinRel(forward, 1e-12));
  const double backward = 2 * (6 + 4 + 6 + 5 + 2) * stream + (5 + 6) * scores + (6 + 2) * inner +
                          (12 + 6 + 4) * stream / 8;
  CHECK_THAT(moved_bytes(layer.backward), WithinRel(backward, 1e-12));
}

TEST_CASE("tensor-parallel ranks reduce the stream twice each way") {
  const LayerWork layer = layer_22b(megatron_plan());
  for (const PassWork* pass : {&layer.forward, &layer.backward}) {
    CHECK(traffic(*pass, Group::Tensor, CollectiveKind::AllReduce).count == 2);
    CHECK(traffic(*pass, Group::Tensor, CollectiveKind::AllReduce).bytes == 2 * 2 * stream);
    CHECK(pass->exchanges.size() == 2);
  }
  CHECK(layer.boundary.base() == 2 * stream);
}

TEST_CASE("sequence parallelism gathers and scatters, and gathers again for weights") {
  Plan plan = megatron_plan();
  plan.sequence_parallel = true;
  const LayerWork layer = layer_22b(plan);
  CHECK(traffic(layer.forward, Group::Tensor, CollectiveKind::AllGather).count == 2);
  CHECK(traffic(layer.forward, Group::Tensor, CollectiveKind::ReduceScatter).count == 2);
  CHECK(traffic(layer.backward, Group::Tensor, CollectiveKind::AllGather).count == 4);
  CHECK(traffic(layer.backward, Group::Tensor, CollectiveKind::AllGather).bytes == 4 * 2 * stream);
  CHECK(traffic(layer.backward, Group::Tensor, CollectiveKind::ReduceScatter).count == 2);
  CHECK(layer.boundary.base() == 2 * stream / 8);
}

TEST_CASE("one rank exchanges nothing") {
  const LayerWork layer = layer_22b({.micro_batch = 4});
  CHECK(layer.forward.exchanges.empty());
  CHECK(layer.backward.exchanges.empty());
}

TEST_CASE("recomputation runs forward again, or its attention core") {
  Plan plan = megatron_plan();
  CHECK(layer_22b(plan).recompute.kernels.empty());
  plan.recompute = Recompute::Selective;
  const LayerWork selective = layer_22b(plan);
  CHECK(launches(selective.recompute) == 4);
  CHECK_THAT(gigaflop(selective.recompute), WithinRel(4 * tokens * 2048 * hidden / 8e9, 1e-12));
  CHECK(moved_bytes(selective.recompute) == 9 * scores);
  CHECK(selective.recompute.exchanges.empty());
  plan.recompute = Recompute::Full;
  const LayerWork full = layer_22b(plan);
  CHECK(launches(full.recompute) == 14);
  CHECK(traffic(full.recompute, Group::Tensor, CollectiveKind::AllReduce).count == 2);
}

TEST_CASE("activations are those of arXiv 2205.05198") {
  // Table 2, in bytes a layer: a = 64 heads, s = 2048, t = 8.
  const double score_bytes = 5.0 * 64 * 2048 / hidden;
  Plan plan = megatron_plan();
  CHECK_THAT(layer_22b(plan).activations.base(),
             WithinRel(stream * (10 + 24.0 / 8 + score_bytes / 8), 1e-12));
  // Figure 1: 59.25 GiB over 48 layers.
  CHECK_THAT(layer_22b(plan).activations.base() * 48 / std::exp2(30), WithinRel(59.25, 1e-9));
  plan.sequence_parallel = true;
  CHECK_THAT(layer_22b(plan).activations.base(), WithinRel(stream / 8 * (34 + score_bytes), 1e-12));
  plan.recompute = Recompute::Selective;
  CHECK_THAT(layer_22b(plan).activations.base() * 48 / std::exp2(30), WithinRel(9.5625, 1e-9));
  plan.recompute = Recompute::Full;
  plan.sequence_parallel = false;
  CHECK(layer_22b(plan).activations.base() == 2 * stream);
}

TEST_CASE("the vocabulary: product, loss and reduction on the last stage") {
  const auto layers = layer_work(shipped_model("megatron-22b"), megatron_plan());
  const LayerWork& output = layers.back();
  CHECK(output.place == StagePlace::Last);
  CHECK(layers.front().place == StagePlace::First);
  const double logits = tokens * 51200 / 8;
  CHECK_THAT(gigaflop(output.forward), WithinRel(2 * logits * hidden / 1e9, 1e-12));
  CHECK_THAT(gigaflop(output.backward), WithinRel(4 * logits * hidden / 1e9, 1e-12));
  // The loss moves 38 and 14 bytes a logit; the norm moves the rest.
  CHECK_THAT(moved_bytes(output.forward), WithinRel(38 * logits + 4 * stream, 1e-12));
  CHECK_THAT(moved_bytes(output.backward), WithinRel(14 * logits + 10 * stream, 1e-12));
  // Two inputs and fp32 logits are kept, and 16-bit ones as well while the loss is computed.
  CHECK_THAT(output.activations.base(), WithinRel(4 * logits + 4 * stream, 1e-12));
  CHECK_THAT(output.loss.base(), WithinRel(2 * logits, 1e-12));
  CHECK(traffic(output.backward, Group::Tensor, CollectiveKind::AllReduce).bytes == 2 * stream);
  CHECK(traffic(layers.front().forward, Group::Tensor, CollectiveKind::AllReduce).bytes ==
        2 * stream);
}

TEST_CASE("a vocabulary that the ranks do not divide is padded as Megatron-LM pads it") {
  Plan plan{.tensor_parallel_size = 8};
  const auto layers = layer_work(shipped_model("gpt3-175b"), plan);
  CHECK(layers.front().parameters == (51200.0 / 8 + 2048) * 12288);
}

TEST_CASE("a tied table is one where its ends are on one stage, else two") {
  const Model model = shipped_model("megatron-22b");
  CHECK(layer_work(model, Plan{}).back().parameters == 2 * hidden);
  Plan plan{.pipeline_parallel_size = 2};
  CHECK(layer_work(model, plan).back().parameters == 2 * hidden + 51200 * hidden);
  plan.schedule = PipelineSchedule::ZeroBubbleV;
  plan.chunks_per_stage = 2;
  CHECK(layer_work(model, plan).back().parameters == 2 * hidden);
}
