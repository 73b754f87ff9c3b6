#include "sim/simulation/simulation.hpp"

#include "sim/collectives/algorithm.hpp"
#include "sim/simulation/job_hardware.hpp"
#include "sim/timeline/pass.hpp"
#include "sim/timeline/timeline.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/toy_model.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

constexpr std::size_t simulation_tensor = 0;
constexpr std::size_t context = 1;
constexpr std::size_t expert = 2;

Cluster toy_cluster() {
  Cluster cluster = toy_machine();
  cluster.accelerator.host_link = {20_GBps, "made up"};
  cluster.network->in_network_reduction.value = true;
  return cluster;
}

StepWork toy_step(const Plan& plan, const Model& model = toy_model(),
                  const KernelProfile& profile = toy_profile()) {
  return step_work(model, plan, toy_cluster(), profile);
}

/// Transformer layers of a stage.
const LayerTimes& simulation_layer(const StepWork& work, std::size_t stage = 0) {
  for (const LayerTimes& each : work.stages.at(stage).at(0).layers())
    if (each.name == "layer") return each;
  FAIL("no layer");
  return work.stages[0][0].layers()[0];
}

Seconds simulation_collective(CollectiveKind kind, Bytes payload, RankSet set, int job) {
  return collective_cost(kind, payload, place(set, toy_cluster(), job), false).time;
}

}  // namespace

TEST_CASE("tensor-parallel traffic is exposed, or overlaps its products") {
  Plan plan{.tensor_parallel_size = 8};
  // Each pass has two all-reduces of 512 tokens x 1024 in 16 bits.
  const Seconds exchange =
      2 * simulation_collective(CollectiveKind::AllReduce, 1048576_B, {1, 8}, 8);
  const StepWork exposed = toy_step(plan);
  CHECK_THAT(simulation_layer(exposed).forward.exposed[simulation_tensor] / exchange,
             WithinRel(1.0, 1e-12));
  CHECK_THAT(simulation_layer(exposed).backward.exposed[simulation_tensor] / exchange,
             WithinRel(1.0, 1e-12));
  CHECK(simulation_layer(exposed).forward.overlapped[simulation_tensor] == Seconds{});
  plan.tensor_overlap = true;
  const StepWork overlapped = toy_step(plan);
  // The first of eight chunks has no compute beside it.
  CHECK_THAT(simulation_layer(overlapped).forward.exposed[simulation_tensor] / exchange,
             WithinRel(1.0 / 8, 1e-12));
  CHECK_THAT(simulation_layer(overlapped).forward.overlapped[simulation_tensor] / exchange,
             WithinRel(7.0 / 8, 1e-12));
}

TEST_CASE("keys and values go round a ring that overlaps attention, or are exposed at once") {
  Plan plan{.context_parallel_size = 4};
  Model model = toy_model();
  std::get<TransformerLayers>(model.parts[1].shape).fused_attention = true;
  const StepWork ring = toy_step(plan, model);
  CHECK(simulation_layer(ring).forward.overlapped[context] > Seconds{});
  CHECK(simulation_layer(ring).forward.exposed[context] == Seconds{});
  plan.context_exchange = ContextExchange::AllGather;
  const StepWork gathered = toy_step(plan, model);
  CHECK(simulation_layer(gathered).forward.overlapped[context] == Seconds{});
  CHECK(simulation_layer(gathered).forward.exposed[context] > Seconds{});
}

TEST_CASE("a state space's heads go to context-parallel ranks at once, whatever a ring does") {
  Model model = toy_model();
  model.parts[1].shape = StateSpaceLayers{
      .count = 4, .hidden = 1024, .heads = 32, .head_size = 64, .groups = 4, .state_size = 128};
  const StepWork ring = toy_step({.context_parallel_size = 4}, model);
  CHECK(simulation_layer(ring).forward.overlapped[context] == Seconds{});
  CHECK(simulation_layer(ring).forward.exposed[context] > Seconds{});
}

TEST_CASE("experts exchange tokens among neighbours") {
  const Plan plan{.data_parallel_size = 8, .expert_parallel_size = 8};
  const StepWork work = toy_step(plan, toy_mixture());
  // Copies of two tokens go there and back: 2 x 512 x 1024 x 2 bytes.
  const Seconds both = 2 * simulation_collective(CollectiveKind::AllToAll, 2097152_B, {1, 8}, 8);
  CHECK_THAT(simulation_layer(work).forward.exposed[expert] / both, WithinRel(1.0, 1e-12));
  CHECK(refusal([] {
          toy_step({.data_parallel_size = 4, .expert_parallel_size = 8}, toy_mixture());
        }) != "accepted");
}

TEST_CASE("routing lengthens experts and what brings tokens there, run again too") {
  KernelProfile routed = toy_profile();
  routed.mixture_factor.value = 1.5;
  const auto pass = [](const KernelProfile& profile, const Model& model, Recompute recompute) {
    return simulation_layer(toy_step({.recompute = recompute}, model, profile));
  };
  const auto added = [&](const Model& model, Recompute recompute, auto LayerTimes::*direction) {
    return (pass(routed, model, recompute).*direction).compute -
           (pass(toy_profile(), model, recompute).*direction).compute;
  };
  const auto forward = &LayerTimes::forward;
  const auto backward = &LayerTimes::backward;
  CHECK(added(toy_model(), Recompute::Full, backward) == Seconds{});
  const Seconds once = added(toy_mixture(), Recompute::None, forward);
  CHECK(once > Seconds{});
  const Seconds back = added(toy_mixture(), Recompute::None, backward);
  CHECK_THAT((added(toy_mixture(), Recompute::Full, backward) - back) / once, WithinRel(1.0, 1e-9));
  // Attention takes as long as without a router, however long the sample.
  Model longer = toy_mixture();
  longer.sequence_length = 4096;
  const auto attention = [&](const KernelProfile& profile) {
    return pass(profile, longer, Recompute::None).forward.attention;
  };
  CHECK(attention(routed) == attention(toy_profile()));
  const Seconds of_attention = attention(toy_profile());
  const Seconds of_mixture = pass(toy_profile(), longer, Recompute::None).forward.compute;
  CHECK(added(longer, Recompute::None, forward) < 0.5 * (of_mixture - of_attention));
}

TEST_CASE("backward runs again what it did not keep") {
  Plan plan{.recompute = Recompute::None};
  const LayerPass kept = simulation_layer(toy_step(plan)).backward;
  plan.recompute = Recompute::Full;
  const StepWork full = toy_step(plan);
  CHECK_THAT((simulation_layer(full).backward.compute - kept.compute) /
                 simulation_layer(full).forward.compute,
             WithinRel(1.0, 1e-9));
  plan.recompute = Recompute::Selective;
  const Seconds core = simulation_layer(toy_step(plan)).backward.compute - kept.compute;
  CHECK(core > Seconds{});
  CHECK(core < 0.5 * simulation_layer(full).forward.compute);
}

TEST_CASE("a pass lasts as long as the host needs to launch it, which graphs make less") {
  KernelProfile slow_host = toy_profile();
  slow_host.host_per_kernel = {1_ms, "made up"};
  Plan plan{.tensor_parallel_size = 8};
  const StepWork work = toy_step(plan, toy_model(), slow_host);
  const LayerPass& forward = simulation_layer(work).forward;
  // 14 kernels and 2 all-reduces take several launches each.
  CHECK_THAT(layer_length(forward, {}, {}) / 16_ms,
             WithinRel(LayerWork::launches_with_kernel, 1e-12));
  for (const CudaGraphs graphs : {CudaGraphs::Layer, CudaGraphs::Segmented}) {
    plan.cuda_graphs = graphs;
    const StepWork captured = toy_step(plan, toy_model(), slow_host);
    const LayerPass& once = simulation_layer(captured).forward;
    CHECK_THAT(layer_length(once, {}, {}) / 1_ms, WithinRel(1.0, 1e-12));
  }
  plan.cuda_graphs = CudaGraphs::FullIteration;
  CHECK(simulation_layer(toy_step(plan, toy_model(), slow_host)).forward.host == Seconds{});
}

TEST_CASE("what backward runs again is launched again") {
  KernelProfile slow_host = toy_profile();
  slow_host.host_per_kernel = {1_ms, "made up"};
  const auto backward = [&](Recompute what) {
    const Plan plan{.tensor_parallel_size = 8, .recompute = what};
    return layer_length(simulation_layer(toy_step(plan, toy_model(), slow_host)).backward, {}, {});
  };
  // The forward pass has 14 kernels and 2 all-reduces, of several launches each.
  CHECK_THAT((backward(Recompute::Full) - backward(Recompute::None)) / 16_ms,
             WithinRel(LayerWork::launches_with_kernel, 1e-9));
}

TEST_CASE("stages send activations in parts, which the receivers gather") {
  Plan plan{.tensor_parallel_size = 8, .pipeline_parallel_size = 2, .gradient_accumulation = 4};
  const StepWork parts = toy_step(plan);
  CHECK(parts.micro_batches == 4);
  // A rank sends an eighth of 1 MiB to the next node.
  CHECK_THAT(
      parts.send.at(0) / simulation_collective(CollectiveKind::SendReceive, 131072_B, {8, 2}, 16),
      WithinRel(1.0, 1e-12));
  const LayerTimes& received = parts.stages[1][0].layers().front();
  CHECK_THAT(received.forward.exposed[simulation_tensor] /
                 simulation_collective(CollectiveKind::AllGather, 1048576_B, {1, 8}, 16),
             WithinRel(1.0, 1e-12));
  CHECK(received.backward.exposed[simulation_tensor] == Seconds{});
  CHECK(parts.stages[0][0].layers().back().backward.exposed[simulation_tensor] ==
        received.forward.exposed[simulation_tensor]);
  plan.sequence_parallel = true;
  const StepWork split = toy_step(plan);
  CHECK(split.send == parts.send);
  CHECK(split.stages[1][0].layers().front().name == "layer");
}

TEST_CASE("what passes from chunk to chunk of a stage is not split and not gathered") {
  const Plan plan{.tensor_parallel_size = 8,
                  .pipeline_parallel_size = 2,
                  .gradient_accumulation = 4,
                  .chunks_per_stage = 2,
                  .schedule = PipelineSchedule::ZeroBubbleV};
  const StepWork work = toy_step(plan);
  const auto names = [&](std::size_t stage, std::size_t chunk) {
    std::vector<std::string> found;
    for (const LayerTimes& each : work.stages[stage][chunk].layers()) found.push_back(each.name);
    return found;
  };
  const std::string received = "received activations";
  CHECK(names(0, 0) == std::vector<std::string>{"embedding", "layer", received});
  CHECK(names(1, 0) == std::vector<std::string>{received, "layer"});
  CHECK(names(1, 1) == std::vector<std::string>{"layer", received});
  CHECK(names(0, 1) == std::vector<std::string>{received, "layer", "vocabulary"});
  CHECK(work.send.at(0) > Seconds{});
  CHECK(work.send.at(1) == Seconds{});
}

TEST_CASE("sharded parameters are gathered before either pass, and only they") {
  Plan plan{.data_parallel_size = 16};
  const auto passes = [&](Sharded sharded) {
    plan.sharded = sharded;
    return simulation_layer(toy_step(plan));
  };
  const LayerTimes shards = passes(Sharded::Parameters);
  // 12.6 million parameters of 2 bytes are gathered over all 16 ranks.
  const double parameters = layer_work(toy_model(), plan)[1].parameters;
  const Seconds gather =
      simulation_collective(CollectiveKind::AllGather, Bytes{2 * parameters}, {1, 16}, 16);
  CHECK_THAT(shards.forward.gather / gather, WithinRel(1.0, 1e-12));
  CHECK_THAT(shards.backward.gather / gather, WithinRel(1.0, 1e-12));
  for (const Sharded whole : {Sharded::Nothing, Sharded::Optimizer, Sharded::Gradients}) {
    CHECK(passes(whole).forward.gather == Seconds{});
    CHECK(passes(whole).backward.gather == Seconds{});
  }
}

TEST_CASE("the parameters of every layer are gathered after a step with a sharded optimizer") {
  const Plan plan{.data_parallel_size = 16, .sharded = Sharded::Optimizer};
  const auto after = [&](int layers) {
    Model model = toy_model();
    std::get<TransformerLayers>(model.parts[1].shape).count = layers;
    return toy_step(plan, model).after.at(0);
  };
  // The gradients of each layer exceed a bucket.
  const double parameters = layer_work(toy_model(), plan)[1].parameters;
  const double buckets = std::floor(4 * parameters / 1e6);  // gradients of four bytes fill them
  const Seconds gather =
      buckets * simulation_collective(CollectiveKind::AllGather, Bytes{2 * parameters / buckets},
                                      {1, 16}, 16);
  CHECK_THAT((after(9) - after(4)) / gather, WithinRel(5.0, 1e-9));
}

TEST_CASE("the network's switches reduce where they can and the plan asks for it") {
  Plan plan{.data_parallel_size = 32};
  const auto sums = [&](bool can) {
    Cluster cluster = toy_cluster();
    cluster.network->in_network_reduction.value = can;
    return exchange_cost(CollectiveKind::AllReduce, 1_GB,
                         place_groups(plan, cluster).gradients.data)
        .time;
  };
  const Communicator all = place({1, 32}, toy_cluster(), 32);
  const auto time = [&](bool in_network) {
    return collective_cost(CollectiveKind::AllReduce, 1_GB, all, in_network).time;
  };
  REQUIRE(time(true) < time(false));
  CHECK(sums(true) == time(false));
  plan.in_network_reduction = true;
  CHECK(sums(true) == time(true));
  CHECK(sums(false) == time(false));
}

TEST_CASE("tied embeddings are added up between the first and the last stage") {
  Plan plan{.pipeline_parallel_size = 4};
  const StepWork work = toy_step(plan);
  // 32000 x 1024 gradients of 4 bytes are reduced between two ranks of a node.
  const Seconds tied = simulation_collective(CollectiveKind::AllReduce, 131072000_B, {2, 2}, 4);
  CHECK(work.after == std::vector<Seconds>{tied, {}, {}, tied});
  Model untied = toy_model();
  std::get<Vocabulary>(untied.parts[0].shape).tied = false;
  CHECK(toy_step(plan, untied).after == std::vector<Seconds>(4));
  plan.schedule = PipelineSchedule::ZeroBubbleV;  // both ends of the V are on one stage
  plan.pipeline_parallel_size = plan.chunks_per_stage = 2;
  CHECK(toy_step(plan).after == std::vector<Seconds>(2));
  CHECK(toy_step({}).after == std::vector<Seconds>(1));
}

// Every field must act, because a field without effect would mislead users.
TEST_CASE("each field of a plan changes the step") {
  const Plan base{.tensor_parallel_size = 2,
                  .pipeline_parallel_size = 2,
                  .data_parallel_size = 16,
                  .gradient_accumulation = 4,
                  .micro_batch = 2};
  KernelProfile profile = toy_profile();
  profile.host_per_kernel = {50_us, "made up"};
  const auto seconds = [&](const Plan& plan, const Model& model) {
    return simulate(toy_step(plan, model, profile)).total.base();
  };
  const auto differs = [&](auto change, const Model& model, Plan from) {
    Plan plan = from;
    change(plan);
    return seconds(plan, model) != seconds(from, model);
  };
  const Model gpt = toy_model();
  CHECK(differs([](Plan& p) { p.tensor_parallel_size = 4; }, gpt, base));
  CHECK(differs([](Plan& p) { p.pipeline_parallel_size = 4; }, gpt, base));
  CHECK(differs([](Plan& p) { p.data_parallel_size = 32; }, gpt, base));
  CHECK(differs([](Plan& p) { p.gradient_accumulation = 8; }, gpt, base));
  CHECK(differs([](Plan& p) { p.micro_batch = 4; }, gpt, base));
  CHECK(differs([](Plan& p) { p.chunks_per_stage = 2; }, gpt, base));
  CHECK(differs([](Plan& p) { p.schedule = PipelineSchedule::ZeroBubble; }, gpt, base));
  CHECK(differs([](Plan& p) { p.sequence_parallel = true; }, gpt, base));
  CHECK(differs([](Plan& p) { p.tensor_overlap = true; }, gpt, base));
  CHECK(differs([](Plan& p) { p.recompute = Recompute::Selective; }, gpt, base));
  CHECK(differs([](Plan& p) { p.sharded = Sharded::Optimizer; }, gpt, base));
  CHECK(differs([](Plan& p) { p.data_overlap = false; }, gpt, base));
  CHECK(differs([](Plan& p) { p.compression = GradientCompression::Int8; }, gpt, base));
  CHECK(differs([](Plan& p) { p.cuda_graphs = CudaGraphs::FullIteration; }, gpt, base));
  CHECK(differs([](Plan& p) { p.cuda_graphs = CudaGraphs::Layer; }, gpt, base));
  CHECK(differs([](Plan& p) { p.precision = Precision::Fp8; }, gpt, base));
  CHECK(differs([](Plan& p) { p.in_network_reduction = true; }, gpt, base));
  Plan sharded = base;
  sharded.sharded = Sharded::Parameters;
  CHECK(differs([](Plan& p) { p.shards_in_domain = true; }, gpt, sharded));
  CHECK(differs([](Plan& p) { p.offloads_optimizer = true; }, gpt, sharded));
  Plan split_tokens = base;
  split_tokens.sequence_parallel = true;
  CHECK(differs([](Plan& p) { p.expert_parallel_size = 8; }, toy_mixture(), split_tokens));
  Plan split = base;
  split.context_parallel_size = 2;
  Model fused = gpt;
  std::get<TransformerLayers>(fused.parts[1].shape).fused_attention = true;
  CHECK(differs([](Plan& p) { p.context_parallel_size = 4; }, fused, split));
  CHECK(differs([](Plan& p) { p.context_exchange = ContextExchange::AllGather; }, fused, split));
  Plan unhindered = base;  // not limited by the host
  unhindered.cuda_graphs = CudaGraphs::FullIteration;
  unhindered.precision = Precision::Fp8;
  CHECK(differs([](Plan& p) { p.fp8_attention = true; }, fused, unhindered));
}

// Two replicas on four nodes, or sixteen on two, have two paces, of which the slower is 0.564
// standard deviations behind the mean (1 / sqrt(pi)).
TEST_CASE("replicas wait for the slowest of them, unless they share a node") {
  KernelProfile noisy = toy_profile();
  noisy.rank_noise = {0.01, "made up"};
  const auto imbalance = [&](const Plan& plan, auto... seed) {
    const StepTimes times = simulate(toy_step(plan, toy_model(), noisy), seed...);
    return times.parts[static_cast<std::size_t>(StepPart::Imbalance)] /
           times.parts[static_cast<std::size_t>(StepPart::Compute)];
  };
  const Plan large{.tensor_parallel_size = 8, .pipeline_parallel_size = 2, .data_parallel_size = 2};
  CHECK_THAT(imbalance(large), WithinRel(0.01 * 0.5642, 0.05));
  CHECK(imbalance({.data_parallel_size = 16}) == imbalance(large));
  CHECK(imbalance({.data_parallel_size = 8}) == 0);
  const Plan one{.tensor_parallel_size = 8, .pipeline_parallel_size = 4};
  CHECK(imbalance(one) == 0);
  CHECK(imbalance(one, std::uint64_t{3}) == 0);
  CHECK(imbalance(large, std::uint64_t{3}) != imbalance(large));
}

TEST_CASE("who holds shards of gradients reduces those of each micro-batch") {
  const auto each = [](Sharded sharded, int stages) {
    return toy_step({.pipeline_parallel_size = stages,
                     .data_parallel_size = 2,
                     .gradient_accumulation = 4,
                     .sharded = sharded})
        .reduces_each_micro_batch;
  };
  CHECK_FALSE(each(Sharded::Nothing, 1));
  CHECK_FALSE(each(Sharded::Optimizer, 1));
  CHECK(each(Sharded::Gradients, 1));
  CHECK(each(Sharded::Parameters, 1));
  CHECK_FALSE(each(Sharded::Optimizer, 2));
  CHECK(each(Sharded::Gradients, 2));
  CHECK(each(Sharded::Parameters, 2));
}

TEST_CASE("shards of gradients that do not overlap are never reduced sooner") {
  for (const Sharded sharded : {Sharded::Gradients, Sharded::Parameters})
    for (const int replicas : {2, 16, 256})
      for (const int micro_batches : {1, 4}) {
        Plan plan{.data_parallel_size = replicas,
                  .gradient_accumulation = micro_batches,
                  .sharded = sharded};
        const Seconds overlapped = simulate(toy_step(plan)).total;
        plan.data_overlap = false;
        INFO(replicas << " replicas, " << micro_batches << " micro-batches");
        CHECK(simulate(toy_step(plan)).total > overlapped);
      }
}

TEST_CASE("gradients that do not overlap hold up no other stage of a pipeline") {
  Plan plan{.pipeline_parallel_size = 4, .data_parallel_size = 16, .data_overlap = false};
  for (const int micro_batches : {1, 8}) {
    plan.gradient_accumulation = micro_batches;
    const StepWork work = toy_step(plan);
    StepWork none = work;
    Seconds longest;
    for (Seconds& after : none.after) {
      longest = std::max(longest, after);
      after = Seconds{};
    }
    REQUIRE(longest > Seconds{});
    // Stages reduce side by side once a step, so the step is at most one reduction longer.
    const auto is_one_reduction = [&](Seconds added) {
      return added > Seconds{} && added <= longest * (1 + 1e-9);
    };
    CHECK(is_one_reduction(simulate(work).total - simulate(none).total));
    CHECK(is_one_reduction(closed_form(work).total - closed_form(none).total));
  }
}
