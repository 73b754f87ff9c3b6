#include "sim/memory/footprint.hpp"

#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/unit/memory/layers.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

Footprint only(std::span<const LayerWork> layers, const Plan& plan,
               const MemoryProfile& profile = {}) {
  const auto all = footprints(layers, plan, profile);
  REQUIRE(all.size() == 1);
  return all.front();
}

Plan replicas(int count, Sharded sharded) {
  Plan plan;
  plan.data_parallel_size = count;
  plan.sharded = sharded;
  return plan;
}

}  // namespace

TEST_CASE("state is bytes per parameter of a kind, in published sums") {
  CHECK(half_state.total() == 18);
  CHECK(single_state.total() == 16);
  CHECK(default_state(Precision::Bf16).total() == 18);
  CHECK(default_state(Precision::Tf32).total() == 16);
  CHECK(default_state(Precision::Fp8).total() == 20);
  CHECK(default_state(Precision::Fp4).total() == 19);
}

TEST_CASE("a plan says in which format it keeps its state") {
  const auto bytes = [](Precision precision, const Plan& plan) {
    const StateBytes kept = state_of(precision, plan);
    return std::array{kept.parameters, kept.gradients, kept.optimizer};
  };
  CHECK(bytes(Precision::Bf16, {}) == std::array{2.0, 4.0, 12.0});
  CHECK(bytes(Precision::Fp32, {}) == std::array{4.0, 4.0, 8.0});
  // NVIDIA's GPT-3 for MLPerf has two copies in 8 bits and gradients in 16.
  const Plan narrow{.kept_parameters = KeptFormat::Fp8, .kept_gradients = KeptFormat::Bf16};
  CHECK(bytes(Precision::Fp8, narrow) == std::array{2.0, 2.0, 12.0});
  CHECK(bytes(Precision::Bf16, narrow) == std::array{2.0, 2.0, 12.0});
  // DeepSeek-V3 has these formats (arXiv 2412.19437, section 3.3.3).
  CHECK(bytes(Precision::Fp8, {.kept_moments = KeptFormat::Bf16}) == std::array{4.0, 4.0, 8.0});
  CHECK(bytes(Precision::Bf16, {.kept_master = KeptFormat::Bf16})[2] == 10);
}

TEST_CASE("parameters in fp32 are the master copy, but for whole ones in 16 bits beside shards") {
  const auto bytes = [](Sharded sharded) {
    Plan plan{.sharded = sharded, .kept_parameters = KeptFormat::Fp32};
    const StateBytes kept = state_of(Precision::Fp8, plan);
    return std::array{kept.parameters, kept.optimizer, kept.gathered};
  };
  CHECK(bytes(Sharded::Parameters) == std::array{4.0, 8.0, 2.0});
  CHECK(bytes(Sharded::Nothing) == std::array{4.0, 8.0, 2.0});
  CHECK(bytes(Sharded::Gradients) == std::array{2.0, 12.0, 2.0});
  // Gradients that are not sharded are summed beside the shards that they are reduced to.
  CHECK(bytes(Sharded::Optimizer) == std::array{2.0, 12.0 + 4, 2.0});
}

TEST_CASE("ten layers on one accelerator") {
  const auto layers = plain_layers(10);
  const Footprint held = only(layers, {});
  CHECK(held.parameters == Bytes{2 * 10800.0});
  CHECK(held.gradients == Bytes{4 * 10800.0});
  CHECK(held.optimizer == Bytes{12 * 10800.0});
  CHECK(held.activations == Bytes{640});
  CHECK(held.logits == Bytes{4096});
  CHECK(held.gathered == Bytes{});
  CHECK(held.communicators == Bytes{});
  CHECK(held.host == Bytes{});
  CHECK(held.fragmentation.base() == Approx(0.1 * (640 + 4096)));
  CHECK(held.context == 1_GiB);
}

TEST_CASE("ZeRO divides optimizer, gradients and parameters in turn") {
  const auto layers = plain_layers(10);
  const Footprint one = only(layers, replicas(8, Sharded::Optimizer));
  CHECK(one.optimizer == Bytes{12 * 1350.0});
  CHECK(one.gradients == Bytes{4 * 10800.0});
  CHECK(one.gathered == Bytes{});
  const Footprint two = only(layers, replicas(8, Sharded::Gradients));
  CHECK(two.gradients == Bytes{4 * 1350.0});
  CHECK(two.parameters == Bytes{2 * 10800.0});
  const Footprint three = only(layers, replicas(8, Sharded::Parameters));
  CHECK(three.parameters == Bytes{2 * 1350.0});
}

TEST_CASE("of shards two layers are whole, one flat buffer gathered, two about to be reduced") {
  auto layers = plain_layers(10);
  layers[2].activations = Bytes{};
  // Gradients of one layer in 16 bits, its flat buffer in fp32, and that of the layer behind it.
  CHECK(only(layers, replicas(8, Sharded::Gradients)).gathered == Bytes{(2 + 4 + 4) * 1000.0});
  const Plan all = replicas(8, Sharded::Parameters);
  CHECK(only(layers, all).gathered == Bytes{(3 * 2 + 2 + 4 + 4) * 1000.0});
  Plan waits = all;
  waits.data_overlap = false;
  CHECK(only(layers, waits).gathered == Bytes{(2 + 2 + 4) * 1000.0});
  CHECK(only(layers, all, {.gradient_bytes = 2}).gathered == Bytes{(3 * 2 + 2 + 2 + 2) * 1000.0});
  // The head's buffer is still being reduced when the last layer runs.
  layers[2].parameters = 5000;
  CHECK(only(layers, all).gathered == Bytes{(3 * 2 + 2 + 4) * 1000.0 + 4 * 5000.0});
}

TEST_CASE("a large embedding is whole when the layers' activations are gone") {
  auto layers = plain_layers(10);
  layers[0].parameters = 8000;
  const Plan plan = replicas(8, Sharded::Parameters);
  const double whole = (2 + 2 + 4) * 8000.0 + 4 * 1000.0;
  CHECK(only(layers, plan).gathered == Bytes{whole - 4096 - 640});
  layers[1].activations = Bytes{128};
  const Footprint held = only(layers, plan);
  CHECK(held.gathered + held.activations + held.logits == Bytes{whole});
  // The loss is computed beside the head and the layer before it, before gradients exist.
  layers[1].activations = Bytes{6400};
  CHECK(only(layers, plan).gathered == Bytes{(3 * 2 + 2 + 4 + 4) * 1000.0 - 4096});
  layers[2].loss = Bytes{20000};
  CHECK(only(layers, plan).gathered == Bytes{2 * 300.0 + 2 * 2 * 1000.0});
  CHECK(only(layers, plan).workspace == Bytes{20000});
}

TEST_CASE("shards in a domain are divided by its ranks, context-parallel ones among them") {
  const auto layers = plain_layers(10);
  Plan plan = replicas(16, Sharded::Optimizer);
  plan.context_parallel_size = 2;
  CHECK(only(layers, plan).optimizer == Bytes{12 * 10800.0 / 32});
  plan.shards_in_domain = true;
  CHECK(only(layers, plan).optimizer == Bytes{12 * 10800.0 / 8});
  plan.tensor_parallel_size = 4;
  CHECK(only(layers, plan).optimizer == Bytes{12 * 10800.0 / 2});
  MemoryProfile wide;
  wide.domain_accelerators = 72;
  CHECK(only(layers, plan, wide).optimizer == Bytes{12 * 10800.0 / 18});
}

TEST_CASE("shards over so many ranks are divided by them, those of experts by fewer") {
  auto layers = plain_layers(10);
  layers[1].expert_parameters = 6000;
  Plan plan = replicas(32, Sharded::Optimizer);
  plan.tensor_parallel_size = 2;
  plan.expert_parallel_size = 4;
  plan.shard_ranks = 8;
  const Bytes optimizer = only(layers, plan).optimizer;
  CHECK(optimizer == Bytes{12 * 10800.0 / 8 + 12 * 10 * 6000.0 / 2});
}

TEST_CASE("experts are shared by fewer ranks than the rest") {
  auto layers = plain_layers(10);
  layers[1].expert_parameters = 6000;
  Plan plan = replicas(8, Sharded::Optimizer);
  plan.expert_parallel_size = 4;
  const Footprint held = only(layers, plan);
  CHECK(held.parameters == Bytes{2 * 70800.0});
  CHECK(held.optimizer == Bytes{12 * (10800.0 / 8 + 60000.0 / 2)});
  layers[1].expert_parameters = 0;
  CHECK(refusal([&] { footprints(layers, plan, {}); }) ==
        "ep = 4 has nothing to split: the model has no experts");
}

TEST_CASE("frozen parameters have neither gradients nor optimizer") {
  auto layers = plain_layers(10);
  layers[0].trainable = layers[2].trainable = 0;
  layers[1].trainable = 0.01;
  const Footprint held = only(layers, {});
  CHECK(held.parameters == Bytes{2 * 10800.0});
  CHECK(held.gradients.base() == Approx(4 * 100.0));
  CHECK(held.optimizer.base() == Approx(12 * 100.0));
}

TEST_CASE("offload moves the optimizer to the host, compression keeps what it left out") {
  const auto layers = plain_layers(10);
  Plan offloaded = replicas(8, Sharded::Optimizer);
  offloaded.offloads_optimizer = true;
  CHECK(only(layers, offloaded).optimizer == Bytes{});
  CHECK(only(layers, offloaded).host == Bytes{12 * 1350.0});
  Plan compressed = replicas(8, Sharded::Nothing);
  for (const auto compression : {GradientCompression::TopK, GradientCompression::PowerSgd}) {
    compressed.compression = compression;
    CHECK(only(layers, compressed).gradients == Bytes{8 * 10800.0});
  }
  compressed.compression = GradientCompression::Int8;
  CHECK(only(layers, compressed).gradients == Bytes{4 * 10800.0});
}

TEST_CASE("stages hold their layers and what is in flight") {
  const auto layers = plain_layers(10);
  Plan plan = replicas(4, Sharded::Parameters);
  plan.pipeline_parallel_size = 4;
  plan.gradient_accumulation = 8;
  const auto held = footprints(layers, plan, {});
  REQUIRE(held.size() == 4);
  // Four stages have 2, 3, 3 and 2 of ten layers.
  CHECK(held[0].activations == Bytes{64.0 * 2 * 4});
  CHECK(held[1].activations == Bytes{64.0 * 3 * 3});
  CHECK(held[2].activations == Bytes{64.0 * 3 * 2});
  CHECK(held[3].activations == Bytes{64.0 * 2 * 1});
  CHECK(held[3].logits == Bytes{4096});
  CHECK(held[0].logits == Bytes{});
  CHECK(held[0].parameters == Bytes{2 * 2500.0 / 4});
  CHECK(held[3].parameters == Bytes{2 * 2300.0 / 4});
  CHECK(held[0].gradients == Bytes{4 * 2500.0 / 4});
  plan.sharded = Sharded::Optimizer;
  CHECK(footprints(layers, plan, {})[0].gradients == Bytes{4 * 2500.0});
}

TEST_CASE("GPipe's last stage keeps the logits of all micro-batches") {
  Plan plan;
  plan.pipeline_parallel_size = 2;
  plan.gradient_accumulation = 6;
  plan.schedule = PipelineSchedule::GPipe;
  CHECK(footprints(plain_layers(4), plan, {})[1].logits == Bytes{6 * 4096.0});
}

TEST_CASE("interleaved chunks count by themselves") {
  Plan plan;
  plan.pipeline_parallel_size = 2;
  plan.chunks_per_stage = 2;
  plan.gradient_accumulation = 4;
  const auto held = footprints(plain_layers(8), plan, {});
  // Chunks of two layers each: 3 and 2 micro-batches on the first stage, 2 and 1 on the second.
  CHECK(held[0].activations == Bytes{64.0 * 2 * 5});
  CHECK(held[1].activations == Bytes{64.0 * 2 * 3});
  // Six layers and the two ends make chunks of one, two, two and one.
  const auto uneven = footprints(plain_layers(6), plan, {});
  CHECK(uneven[0].activations == Bytes{64.0 * (1 * 3 + 2 * 2)});
  CHECK(uneven[1].activations == Bytes{64.0 * (2 * 2 + 1 * 1)});
}

TEST_CASE("every group of ranks has a communicator's buffers") {
  const auto layers = plain_layers(8);
  Plan plan;
  plan.tensor_parallel_size = 2;
  CHECK(only(layers, plan).communicators == 128_MiB);
  plan.context_parallel_size = 2;  // context-parallel ranks reduce gradients too
  CHECK(only(layers, plan).communicators == 384_MiB);
  plan.data_parallel_size = 4;
  plan.sharded = Sharded::Optimizer;
  plan.shards_in_domain = true;
  CHECK(only(layers, plan).communicators == 512_MiB);
}

TEST_CASE("workspace: an exchange that needs a buffer, a layer again, a gradient") {
  auto layers = plain_layers(2);
  layers[2].activations = Bytes{};
  Kernel of_weights = product(100, 100);
  of_weights.is_weight_gradient = true;
  layers[1].backward.kernels = {product(10, 20, 3), of_weights};
  layers[1].forward.exchanges = {{.collective = CollectiveKind::AllReduce, .payload = Bytes{9e6}},
                                 {.collective = CollectiveKind::AllGather, .payload = Bytes{700}}};
  CHECK(only(layers, {}).workspace == Bytes{2 * 600 + 700});
  // The workspace is the larger buffer of the two passes, which do not run at once.
  auto sends_more_back = layers;
  sends_more_back[1].backward.exchanges = {
      {.collective = CollectiveKind::ReduceScatter, .payload = Bytes{900}}};
  CHECK(only(sends_more_back, {}).workspace == Bytes{2 * 600 + 900});
  Kernel moves;
  moves.bytes = Bytes{100};
  layers[1].recompute.kernels = {product(10, 20, 2), moves, moves, moves};
  CHECK(only(layers, {}).workspace == Bytes{2 * 600 + 700 + 800 + 150});
  // The loss is finished when the layers run backward, and needs less than they do up to 4000
  // bytes.
  layers[2].activations = Bytes{1000};
  CHECK(only(layers, {}).workspace == Bytes{2 * 600 + 700 + 800 + 150 - 1000});
  layers[2].loss = Bytes{4000};
  CHECK(only(layers, {}).workspace == Bytes{4000});
}

TEST_CASE("whole gradients are held as they travel, one layer's beside them where a stack does") {
  const auto layers = plain_layers(10);
  const MemoryProfile narrow{.gradient_bytes = 2};
  CHECK(only(layers, replicas(8, Sharded::Optimizer), narrow).gradients == Bytes{2 * 10800.0});
  CHECK(only(layers, replicas(8, Sharded::Gradients), narrow).gradients == Bytes{4 * 1350.0});
  CHECK(only(layers, {}, {.gradient_bytes = 8}).gradients == Bytes{4 * 10800.0});
  Plan wide = replicas(8, Sharded::Optimizer);
  wide.kept_gradients = KeptFormat::Fp32;
  CHECK(only(layers, wide, narrow).gradients == Bytes{4 * 10800.0});
  CHECK(only(layers, {}).workspace == Bytes{});
  CHECK(only(layers, {}, {.keeps_layer_gradients = true}).workspace == Bytes{2 * 1000.0});
}

TEST_CASE("gradients that grow are not there when the loss is taken, but at the end") {
  const MemoryProfile growing{.gradients_grow = true};
  const Bytes states{14 * 10800.0};
  // 4096 bytes of logits and 640 of activations are less than the gradients, so the end needs most.
  const auto small = plain_layers(10);
  CHECK(only(small, {}, growing).gradients == Bytes{4 * 10800.0});
  CHECK(only(small, {}, growing).total(MemoryReading::Allocated) == states + Bytes{4 * 10800.0});
  CHECK(only(small, {}).total(MemoryReading::Allocated) ==
        states + Bytes{4 * 10800.0 + 640 + 4096});
  // The loss needs most.
  auto large = plain_layers(10);
  large.back().activations = Bytes{1e6};
  const Footprint held = only(large, {}, growing);
  CHECK(held.gradients == Bytes{});
  CHECK(held.total(MemoryReading::Allocated) == states + Bytes{1e6 + 640});
  // The layer before the loss needs most, when only the 300 gradients of the output exist.
  auto wide = plain_layers(10);
  for (LayerWork& layer : wide)
    if (layer.place == StagePlace::Spread) layer.activations = Bytes{1e6};
  wide.back().activations = Bytes{100};
  const Footprint amid = only(wide, {}, growing);
  CHECK(amid.gradients == Bytes{4 * 300.0});
  CHECK(amid.total(MemoryReading::Allocated) == states + Bytes{10e6 + 4 * 300.0});
  // The first of several micro-batches has left its gradients.
  Plan twice;
  twice.gradient_accumulation = 2;
  CHECK(only(large, twice, growing).total(MemoryReading::Allocated) ==
        only(large, twice).total(MemoryReading::Allocated));
}

TEST_CASE("readings hold one another: tensors, what is reserved for them, the device") {
  Plan plan;
  plan.tensor_parallel_size = 2;
  const Footprint held = only(plain_layers(10), plan);
  const Bytes tensors{18 * 10800.0 + 640 + 4096};
  CHECK(held.total(MemoryReading::Allocated) == tensors);
  CHECK_THAT(held.total(MemoryReading::Reserved).base(),
             WithinRel((tensors + Bytes{473.6}).base(), 1e-12));
  CHECK_THAT(held.total().base(),
             WithinRel((tensors + Bytes{473.6} + 128_MiB + 1_GiB).base(), 1e-12));
}

TEST_CASE("the stage that holds most depends on the reading") {
  Plan plan;
  plan.pipeline_parallel_size = 2;
  plan.gradient_accumulation = 2;
  auto layers = plain_layers(4);
  layers[0].parameters = 2600;  // 82,800 bytes of states with two layers; the last stage has 41,400
  layers[2].activations = Bytes{40e3};  // a tenth of this is lost to fragments
  CHECK(largest_footprint(layers, plan, {}, MemoryReading::Allocated).logits == Bytes{});
  CHECK(largest_footprint(layers, plan, {}, MemoryReading::Reserved).logits == Bytes{40e3});
}

TEST_CASE("the fullest stage is the largest in all") {
  Plan plan;
  plan.pipeline_parallel_size = 2;
  plan.gradient_accumulation = 2;
  auto layers = plain_layers(4);
  layers[2].activations = Bytes{1e9};
  CHECK(largest_footprint(layers, plan, {}).logits == Bytes{1e9});
  layers[0].parameters = 1e9;
  CHECK(largest_footprint(layers, plan, {}).logits == Bytes{});
}

TEST_CASE("a checkpoint holds parameters and optimizer state, without gradients or copies") {
  const auto bytes = [](Precision precision, const Plan& plan) {
    return checkpoint_bytes(state_of(precision, plan), plan);
  };
  CHECK(bytes(Precision::Bf16, {}) == 2 + 4 + 8);
  CHECK(bytes(Precision::Fp32, {}) == 4 + 8);
  CHECK(bytes(Precision::Fp8, {}) == 2 + 4 + 8);  // not the two copies that products read
  Plan plan;
  plan.kept_moments = KeptFormat::Bf16;
  CHECK(bytes(Precision::Bf16, plan) == 2 + 4 + 4);
  plan = {};
  plan.kept_parameters = KeptFormat::Fp32;
  plan.sharded = Sharded::Parameters;
  CHECK(bytes(Precision::Bf16, plan) == 4 + 8);  // fp32 parameters are the master copy
}
