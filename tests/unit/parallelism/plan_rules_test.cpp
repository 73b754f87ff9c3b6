#include <functional>
#include <string>

#include "sim/parallelism/plan.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// A plan that uses every kind of parallelism and obeys every rule: 3D, interleaved, ZeRO 1.
Plan rich_plan() {
  return {.tensor_parallel_size = 8,
          .pipeline_parallel_size = 4,
          .context_parallel_size = 2,
          .data_parallel_size = 4,
          .gradient_accumulation = 8,
          .micro_batch = 1,
          .expert_parallel_size = 8,
          .chunks_per_stage = 3,
          .sequence_parallel = true,
          .recompute = Recompute::Selective,
          .sharded = Sharded::Optimizer,
          .shards_in_domain = true,
          .offloads_optimizer = true};
}

/// Message that refuses the plan after one change.
std::string after(const std::function<void(Plan&)>& change, const PlanLimits& limits = {}) {
  Plan plan = rich_plan();
  change(plan);
  return refusal([&] { check_plan(plan, limits); });
}

}  // namespace

TEST_CASE("a plan that keeps every rule is accepted") {
  const PlanLimits limits{.layers = 24, .has_experts = true, .has_attention = true};
  CHECK(after([](Plan&) {}, limits) == "accepted");
  CHECK(refusal([] { check_plan(Plan{}); }) == "accepted");
}

TEST_CASE("sizes below one are refused by name") {
  CHECK(after([](Plan& p) { p.expert_parallel_size = 0; }) == "ep must be at least 1, got 0");
  CHECK(after([](Plan& p) { p.data_parallel_size = -1; }) == "dp must be at least 1, got -1");
  CHECK(after([](Plan& p) { p.chunks_per_stage = 0; }) == "chunks must be at least 1, got 0");
  CHECK(after([](Plan& p) { p.micro_batch = 0; }) == "the micro-batch must be above 0, got 0");
}

TEST_CASE("groups of ranks must exist and divide") {
  CHECK(after([](Plan& p) { p.expert_parallel_size = 3; }) ==
        "ep = 3 does not divide the 8 ranks that can share experts: those of context and data; "
        "whole experts (--whole-experts on) are shared out over tensor ranks too");
  CHECK(after([](Plan& p) { p.expert_parallel_size = 64; }) ==
        "ep = 64 does not divide the 8 ranks that can share experts: those of context and data; "
        "whole experts (--whole-experts on) are shared out over tensor ranks too");
  const auto whole = [](int ep) {
    return after([&](Plan& p) {
      p.whole_experts = true;
      p.expert_parallel_size = ep;
    });
  };
  CHECK(whole(64) == "accepted");
  CHECK(whole(128) ==
        "ep = 128 does not divide the 64 ranks that can share experts: those of tensor, context "
        "and data");
}

TEST_CASE("interleaving needs a pipeline, its schedule and groups of micro-batches") {
  CHECK(after([](Plan& p) { p.pipeline_parallel_size = 1; }) ==
        "3 chunks per stage interleave the stages of a pipeline: they need pp > 1");
  CHECK(after([&](Plan& p) { p.schedule = PipelineSchedule::GPipe; }) ==
        "3 chunks per stage need the 1f1b or breadth-first schedule: gpipe runs 1");
  CHECK(after([&](Plan& p) { p.schedule = PipelineSchedule::ZeroBubbleV; }) ==
        "3 chunks per stage need the 1f1b or breadth-first schedule: zb-v runs 2");
  CHECK(
      after([&](Plan& p) {
        p.schedule = PipelineSchedule::ZeroBubbleV;
        p.chunks_per_stage = 1;
      }) ==
      "1 chunk per stage needs the gpipe, 1f1b, zero-bubble, breadth-first or eager-1f1b schedule: "
      "zb-v runs "
      "2");
  CHECK(after([](Plan& p) {
          p.gradient_accumulation = 10;
          p.schedule = PipelineSchedule::ZeroBubbleV;
          p.chunks_per_stage = 2;
        }) == "accepted");
  CHECK(after([](Plan& p) { p.gradient_accumulation = 10; }) ==
        "3 chunks per stage run groups of pp = 4 micro-batches, of which gradient accumulation 10 "
        "is no multiple");
  CHECK(after([](Plan& p) {
          p.gradient_accumulation = 10;
          p.schedule = PipelineSchedule::BreadthFirst;
        }) == "accepted");
  CHECK(after([](Plan& p) {
          p.chunks_per_stage = 1;
          p.gradient_accumulation = 10;
          p.schedule = PipelineSchedule::ZeroBubble;
        }) == "accepted");
}

TEST_CASE("passes that hide experts' exchanges need others that do not wait for them") {
  const auto overlapped = [](const std::function<void(Plan&)>& change) {
    return after([&](Plan& p) {
      p.expert_overlap = true;
      change(p);
    });
  };
  CHECK(overlapped([](Plan&) {}) == "accepted");
  CHECK(overlapped([](Plan& p) { p.pipeline_parallel_size = p.chunks_per_stage = 1; }) ==
        "accepted");
  const char* refused =
      "expert overlap pairs a forward pass with a backward pass that does not wait for it: at "
      "pp > 1 it needs the 1f1b schedule with chunks > 1, or dualpipe-v";
  CHECK(overlapped([](Plan& p) { p.chunks_per_stage = 1; }) == refused);
  CHECK(overlapped([](Plan& p) { p.schedule = PipelineSchedule::BreadthFirst; }) == refused);
  CHECK(pipeline_schedules.back().first == "dualpipe-v");
  CHECK(overlapped([](Plan& p) {
          p.schedule = pipeline_schedules.back().second;
          p.chunks_per_stage = 2;
        }) == "accepted");
  CHECK(overlapped([](Plan& p) { p.recompute = Recompute::Full; }) ==
        "expert overlap runs layers in pairs of passes, full recomputation whole layers in one: "
        "recompute none or selective");
}

TEST_CASE("what is sharded limits pipelines, offload and compression") {
  for (const Sharded each : {Sharded::Gradients, Sharded::Parameters})
    CHECK(after([&](Plan& p) { p.sharded = each; }) == "accepted");
  const auto nothing = [](Plan& p) { p.sharded = Sharded::Nothing; };
  CHECK(after(nothing) ==
        "an offloaded optimizer must be sharded, or every host would hold and compute all of it");
  CHECK(after([](Plan& p) {
          p.sharded = Sharded::Nothing;
          p.data_parallel_size = p.context_parallel_size = p.expert_parallel_size = 1;
        }) == "accepted");
  CHECK(after([](Plan& p) { p.compression = GradientCompression::Int8; }) ==
        "compressed gradients need all-reduced ones (sharded: nothing): a shard's owner sums exact "
        "ones");
}

TEST_CASE("a model's layers, experts and attention limit its plans") {
  const auto same = [](Plan&) {};
  CHECK(after(same, {.layers = 32}) == "accepted");
  CHECK(after(same, {.layers = 11}) ==
        "4 stages x 3 chunks are too many for 11 layers: some would hold nothing");
  CHECK(after(same, {.layers = 10, .has_ends = true}) == "accepted");
  CHECK(after([](Plan& p) { p.chunks_per_stage = 1; }, {.layers = 30}) == "accepted");
  CHECK(after(same, {.has_experts = false}) ==
        "ep = 8 has nothing to split: the model has no experts");
  CHECK(after(same, {.has_attention = false}) ==
        "selective recomputation repeats the attention core, which the model lacks: choose none or "
        "full");
}

TEST_CASE("layers that are stated are one number a virtual stage and add up to the model's") {
  const auto stated = [](std::vector<int> counts, const PlanLimits& limits = {}) {
    return after([&](Plan& p) { p.stage_layers = {std::move(counts)}; }, limits);
  };
  const PlanLimits limits{.layers = 24, .has_ends = true};
  CHECK(stated({1, 2, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2}, limits) == "accepted");
  CHECK(stated({0, 3, 3, 2, 2, 2, 2, 2, 2, 2, 4, 0}, limits) == "accepted");
  CHECK(stated({6, 6, 6, 6}) ==
        "stage_layers needs a number for each of 4 stages x 3 chunks, got 4");
  CHECK(stated({2, 2, 2, 2, 0, 4, 2, 2, 2, 2, 2, 2}) ==
        "stage_layers: number 5 of 12 must be at least 1, got 0");
  CHECK(stated({2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, -2}) ==
        "stage_layers: number 12 of 12 must be at least 0, got -2");
  CHECK(stated({2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1}, limits) ==
        "stage_layers adds up to 23 layers, the model has 24");
  CHECK(stated({0, 3, 3, 2, 2, 2, 2, 2, 2, 2, 4, 0}, {.layers = 24}) ==
        "stage_layers leaves an end of the pipeline without a layer, and the model has no "
        "embedding and head to put there");
}

TEST_CASE("two stages need two layers, or ends that are stages of their own") {
  const Plan two{.pipeline_parallel_size = 2};
  const auto refused = [&](const PlanLimits& limits) {
    return refusal([&] { check_plan(two, limits); });
  };
  CHECK(refused({.layers = 1, .has_ends = false}) ==
        "2 stages x 1 chunks are too many for 1 layers: some would hold nothing");
  CHECK(refused({.layers = 2, .has_ends = false}) == "accepted");
  CHECK(refused({.layers = 1, .has_ends = true}) == "accepted");
}

TEST_CASE("groups of shards are equal, of experts too, and say alone who shares") {
  const auto shards = [](int ranks, int experts = 8) {
    return after([&](Plan& p) {
      p.shards_in_domain = false;
      p.shard_ranks = ranks;
      p.expert_parallel_size = experts;
    });
  };
  CHECK(shards(4) == "accepted");
  CHECK(shards(8) == "accepted");
  CHECK(shards(3) == "shard_ranks must divide the 8 ranks of dp*cp, got 3");
  CHECK(shards(0) == "shard_ranks must be at least 1, got 0");
  CHECK(after([](Plan& p) {
          p.shards_in_domain = false;
          p.data_parallel_size = 12;
          p.shard_ranks = 12;
        }) == "shard_ranks = 12 and ep = 8: one must divide the other");
  CHECK(after([](Plan& p) { p.shard_ranks = 4; }) ==
        "shard_ranks and shards_in_domain both say who shares: leave one");
}
