#include <array>
#include <cmath>
#include <string_view>

#include "sim/model/fine_tuning.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/unit/model/models.hpp"

// Mamba-2 layers: figures that publishers state of their models, and the formulas of arXiv
// 2405.21060.
using namespace tofn;
using namespace tofn::test;

namespace {

/// Mamba-2 model with heads of 64, states of 128, and inputs twice as wide as the stream.
Model mamba2(int layers, int hidden, int groups = 1) {
  Model model{.name = "mamba2", .sequence_length = 2048};
  model.parts = {
      {.name = "vocabulary",
       .shape = Vocabulary{.size = 50288, .hidden = hidden, .tied = true, .biases = false}},
      {.name = "state_space",
       .shape = StateSpaceLayers{.count = layers,
                                 .hidden = hidden,
                                 .heads = 2 * hidden / 64,
                                 .head_size = 64,
                                 .groups = groups,
                                 .state_size = 128}}};
  return model;
}

LayerWork state_space_layer(const Model& model, const Plan& plan = {}) {
  return *find_layer(layer_work(model, plan), "state_space");
}

double rounded(double value, int digits) {
  const double scale = std::pow(10, std::floor(std::log10(value)) + 1 - digits);
  return std::round(value / scale) * scale;
}

double new_gigaflop(const PassWork& pass) {
  double sum = 0;
  for (const Kernel& kernel : pass.kernels) sum += kernel.flops().base() * (1 - kernel.repeated);
  return sum / 1e9;
}

}  // namespace

TEST_CASE("dimensions of state-space models give the sizes that they are published as") {
  // arXiv 2405.21060, appendix D.2, with the padded vocabulary of GPT-NeoX.
  CHECK(rounded(parameters(mamba2(24, 768)), 2) == 130e6);
  CHECK(rounded(parameters(mamba2(48, 1024)), 2) == 370e6);
  CHECK(rounded(parameters(mamba2(48, 1536)), 2) == 780e6);
  CHECK(rounded(parameters(mamba2(48, 2048)), 2) == 1.3e9);
  CHECK(rounded(parameters(mamba2(64, 2560)), 2) == 2.7e9);
  CHECK(rounded(parameters(shipped_model("nemotron-h-8b")), 1) == 8e9);  // arXiv 2504.03624
}

TEST_CASE("a hybrid's layers are branches of their own: 24, 4 and 24") {
  const double stream = 4096;
  const double mamba = stream * (2 * 8192 + 2 * 8 * 128 + 128) + 8192 * stream +
                       (8192 + 2 * 8 * 128) * (4 + 1) + 3 * 128 + 8192 + stream;
  const double attention = stream * (4096 + 2 * 1024) + 4096 * stream + stream;
  const double mlp = 2 * stream * 21504 + stream;
  const Model model = shipped_model("nemotron-h-8b");
  CHECK(parameters(model) == 24 * mamba + 4 * attention + 24 * mlp + 2 * 131072 * stream + stream);
  const auto layers = layer_work(model, Plan{});
  CHECK(find_layer(layers, "attention")->forward.kernels.size() == 5);  // norm, three products, sum
  CHECK(find_layer(layers, "mlp")->forward.kernels.size() == 5);
}

TEST_CASE("the dimensions of Nemotron-H 56B give its size") {
  // arXiv 2504.03624, table 1: 54 state-space layers, 10 of attention and 54 MLPs.
  const StateSpaceLayers scan{
      .count = 54, .hidden = 8192, .heads = 256, .head_size = 64, .groups = 8, .state_size = 256};
  TransformerLayers attention{.count = 10, .hidden = 8192, .heads = 64, .key_value_heads = 8};
  attention.head_size = 128;
  attention.biases = false;
  TransformerLayers mlp{.count = 54, .hidden = 8192, .feed_forward = 32768, .biases = false};
  Model model{.name = "nemotron-h-56b", .sequence_length = 8192};
  model.parts = {{.shape = Vocabulary{.size = 131072, .hidden = 8192, .biases = false}},
                 {.shape = scan},
                 {.shape = attention},
                 {.shape = mlp}};
  CHECK(rounded(parameters(model), 2) == 56e9);
}

TEST_CASE("a layer does the arithmetic that Megatron-LM counts, the scan's but for its blocks") {
  // mamba_layer_flops in num_floating_point_operations of its training.py, for one token forward.
  const double state = 128;
  const double inner = 8192;
  const double hidden = 4096;
  const double counted =
      2 * hidden * (2 * inner + 2 * 8 * state + 128) + 7 * inner * state + 2 * inner * hidden;
  const LayerWork layer = state_space_layer(shipped_model("nemotron-h-8b"));
  CHECK_THAT(gigaflop(layer.forward) * 1e9 / 8192, WithinRel(counted, 0.005));
  CHECK_THAT(new_gigaflop(layer.backward), WithinRel(2 * gigaflop(layer.forward), 1e-12));
}

TEST_CASE("the scan is the four products of arXiv 2405.21060, section 6.3") {
  const double tokens = 2048;
  const double chunk = 256;
  const double state = 128;
  const double size = 64;
  const double heads = 24;
  const double products = tokens * 768 * (2 * 1536 + 2 * 128 + 24) + tokens * 1536 * 768;
  const double scan =
      tokens / chunk *
      (chunk * chunk * state + heads * (chunk * chunk * size + 2 * chunk * state * size));
  CHECK_THAT(gigaflop(state_space_layer(mamba2(24, 768)).forward) * 1e9,
             WithinRel(2 * (products + scan), 1e-12));
  Model shorter = mamba2(24, 768);
  shorter.sequence_length = 128;  // shorter than a block
  const double block = 128 * 128 * (state + heads * size) + 2 * heads * 128 * state * size;
  CHECK_THAT(gigaflop(state_space_layer(shorter).forward) * 1e9,
             WithinRel(2 * (products / 16 + block), 1e-12));
}

TEST_CASE("the delta rule adds the products of arXiv 2412.06464, section 3.3, and no parameters") {
  Model model = mamba2(24, 768);
  auto& layers = std::get<StateSpaceLayers>(model.parts[1].shape);
  layers.chunk = 64;
  const LayerWork plain = state_space_layer(model);
  layers.delta_rule = true;
  const LayerWork ruled = state_space_layer(model);
  CHECK(ruled.parameters == plain.parameters);
  CHECK(ruled.activations == plain.activations);
  const double chunk = 64;
  const double state = 128;
  const double size = 64;
  const double heads = 24;
  // Keys by keys, the inverse of their triangle, that by keys and values, and keys by the state.
  // Each head also has its own queries by keys.
  const double rule = chunk * chunk * state + chunk * chunk * chunk / 3 +
                      chunk * chunk * (state + size) + chunk * size * state;
  const double own_scores = (heads - 1) * chunk * chunk * state;
  CHECK_THAT(gigaflop(ruled.forward) - gigaflop(plain.forward),
             WithinRel(2e-9 * 2048 / chunk * (heads * rule + own_scores), 1e-12));
  CHECK_THAT(new_gigaflop(ruled.backward), WithinRel(2 * gigaflop(ruled.forward), 1e-12));
}

// Kimi Delta Attention: arXiv 2510.26692, section 4.
TEST_CASE("gates of narrow rows: two products to these, one from each") {
  Model model = mamba2(24, 768);
  auto& layers = std::get<StateSpaceLayers>(model.parts.at(1).shape);
  layers.delta_rule = true;
  const LayerWork wide = state_space_layer(model);
  layers.gate_rank = 32;
  const LayerWork narrow = state_space_layer(model);
  const double inner = 1.0 * layers.heads * layers.head_size;
  const double keys = 1.0 * layers.groups * layers.state_size;
  const double weights = 768 * (2.0 * 32 - inner) + 32 * (inner + keys);
  CHECK(narrow.parameters - wide.parameters == weights);
  const double tokens = model.sequence_length;
  CHECK_THAT(gigaflop(narrow.forward) - gigaflop(wide.forward),
             WithinRel(2 * tokens * weights / 1e9, 1e-9));
  CHECK_THAT(gigaflop(narrow.backward) - gigaflop(wide.backward),
             WithinRel(4 * tokens * weights / 1e9, 1e-9));
}

TEST_CASE("backward computes the states again, full recomputation all of the layer") {
  const Model model = mamba2(24, 768);
  const LayerWork layer = state_space_layer(model);
  const double again = 2048.0 / 256 * (256.0 * 256 * 128 + 24 * 256.0 * 128 * 64);
  CHECK_THAT(gigaflop(layer.backward) - new_gigaflop(layer.backward),
             WithinRel(2 * again / 1e9, 1e-12));
  const LayerWork full = state_space_layer(model, {.recompute = Recompute::Full});
  CHECK(gigaflop(full.recompute) == gigaflop(full.forward));
  CHECK(full.activations == Bytes{2.0 * 2048 * 768});
}

TEST_CASE("a layer keeps inputs of norms and products, and what the first product makes") {
  const LayerWork layer = state_space_layer(mamba2(24, 768));
  const double width = 2 * 768 + (1536 + 256 + 1536 + 24) + 2 * 1536;
  CHECK(layer.activations == Bytes{2.0 * 2048 * width});
  const Model frozen = fine_tuned(mamba2(24, 768), {.freeze = {"state_space"}});
  CHECK(state_space_layer(frozen).activations == Bytes{2.0 * 2048 * (width - 768 - 1536)});
}

TEST_CASE("tensor-parallel ranks split heads and groups, and reduce once each way") {
  const Model model = mamba2(24, 1024, 8);
  const LayerWork whole = state_space_layer(model);
  const LayerWork part = state_space_layer(model, {.tensor_parallel_size = 8});
  CHECK_THAT(8 * gigaflop(part.forward), WithinRel(gigaflop(whole.forward), 1e-12));
  CHECK_THAT(8 * gigaflop(part.backward), WithinRel(gigaflop(whole.backward), 1e-12));
  // Each rank has the whole norm, whose 1024 parameters are subtracted.
  CHECK_THAT(8 * (part.parameters - 1024), WithinRel(whole.parameters - 1024, 1e-12));
  for (const PassWork* pass : {&part.forward, &part.backward}) {
    const Traffic reduced = traffic(*pass, Group::Tensor, CollectiveKind::AllReduce);
    CHECK(reduced.count == 1);
    CHECK(reduced.bytes == 2.0 * 2048 * 1024);
  }
  const LayerWork sequence =
      state_space_layer(model, {.tensor_parallel_size = 8, .sequence_parallel = true});
  CHECK(traffic(sequence.forward, Group::Tensor, CollectiveKind::AllGather).count == 1);
  CHECK(traffic(sequence.forward, Group::Tensor, CollectiveKind::ReduceScatter).count == 1);
  CHECK(sequence.activations.base() < part.activations.base());
}

TEST_CASE("context-parallel ranks scan a part of the heads of whole samples") {
  const Model model = mamba2(24, 1024, 8);
  const LayerWork whole = state_space_layer(model);
  const LayerWork part = state_space_layer(model, {.context_parallel_size = 4});
  CHECK_THAT(4 * gigaflop(part.forward), WithinRel(gigaflop(whole.forward), 1e-12));
  const Traffic moved = traffic(part.forward, Group::Context, CollectiveKind::AllToAll);
  CHECK(moved.count == 2);
  CHECK(moved.bytes == 2.0 * 512 * ((2048 + 2048 + 2 * 8 * 128 + 32) + 2048));
}

TEST_CASE("a plan that does not divide a state space is refused") {
  const auto refusal_of = [](const Plan& plan) {
    return refusal([&] { layer_work(mamba2(24, 1024, 4), plan); });
  };
  CHECK(refusal_of({.tensor_parallel_size = 64}) ==
        "model mamba2: tp must divide the state-space heads: 64 does not divide 32");
  CHECK(refusal_of({.tensor_parallel_size = 8}) ==
        "model mamba2: tp must divide the state-space groups: 8 does not divide 4");
  CHECK(refusal_of({.tensor_parallel_size = 4, .context_parallel_size = 16}) ==
        "model mamba2: tp*cp must divide the state-space heads: 64 does not divide 32");
  CHECK(refusal_of({.recompute = Recompute::Selective}) ==
        "model mamba2: selective recomputation is of attention, which the model lacks");
  CHECK(refusal_of({.expert_parallel_size = 2}) ==
        "model mamba2: ep > 1 needs a mixture of experts");
}

TEST_CASE("parts of one name freeze together, or their first layers") {
  const Model model = shipped_model("nemotron-h-8b");
  const auto trained = [&](const std::string& part) {
    return trainable_parameters(fine_tuned(model, {.freeze = {part}}));
  };
  const LayerWork layer = state_space_layer(model);
  CHECK(parameters(model) - trained("state_space") == 24 * layer.parameters);
  CHECK(parameters(model) - trained("state_space:5") == 5 * layer.parameters);
  CHECK(refusal([&] { fine_tuned(model, {.freeze = {"attention:5"}}); }) ==
        "--freeze: 'attention:5': there are 4");
}

TEST_CASE("the scan of FP8 training stays in 16 bits, its products do not keep more") {
  const Model model = mamba2(24, 768);
  const LayerWork layer = state_space_layer(model, {.precision = Precision::Fp8});
  int scans = 0;
  for (const Kernel& kernel : layer.forward.kernels) scans += kernel.is_scan ? 1 : 0;
  CHECK(scans == 3);
  CHECK(layer.activations.base() < state_space_layer(model).activations.base());
}

TEST_CASE("layers of equal shape share their work, and others do not") {
  Model model = mamba2(1, 1024);
  model.parts.push_back(mamba2(1, 1024, 2).parts.back());  // another number of groups
  model.parts.push_back(model.parts[1]);
  const auto layers = layer_work(model, Plan{});
  REQUIRE(layers.size() == 5);  // the vocabulary's product comes last
  CHECK(share_work(layers[1].backward, layers[3].backward));
  CHECK_FALSE(share_work(layers[1].backward, layers[2].backward));
}
