#include <algorithm>

#include "tests/catch.hpp"
#include "tests/unit/model/models.hpp"

// Differences of other transformers from GPT: fused attention, grouped queries, gates, split
// sequences, experts, adapters.
using namespace tofn;
using namespace tofn::test;

namespace {

Kernel attention_kernel(const PassWork& pass) {
  for (const Kernel& kernel : pass.kernels)
    if (kernel.arithmetic == Arithmetic::Attention) return kernel;
  return {};
}

constexpr double variants_tokens = 8192;

}  // namespace

TEST_CASE("fused attention is one kernel a pass that moves q, k, v and the output") {
  const LayerWork layer = transformer_layer(shipped_model("llama3-8b"), Plan{});
  const Kernel forward = attention_kernel(layer.forward);
  const Kernel backward = attention_kernel(layer.backward);
  CHECK(forward.count == 1);
  // The causal half of 4 s^2 h forward; backward has 5 products for 2.
  CHECK_THAT(forward.flops().base(),
             WithinRel(2 * variants_tokens * variants_tokens * 4096, 1e-12));
  CHECK_THAT(backward.flops() / forward.flops(), WithinRel(2.5, 1e-12));
  // 32 heads of queries and 8 of keys and values, each of 128, in two bytes.
  CHECK(forward.bytes.base() == variants_tokens * 128 * 2 * (2 * 32 + 2 * 8));
  CHECK(backward.bytes.base() == variants_tokens * 128 * 2 * (4 * 32 + 4 * 8));
}

TEST_CASE("an encoder's fused attention computes the masked half too") {
  const LayerWork layer = transformer_layer(shipped_model("bert-large"), Plan{});
  CHECK_THAT(attention_kernel(layer.forward).flops().base(),
             WithinRel(4.0 * 512 * 512 * 1024, 1e-12));
}

TEST_CASE("a gated layer with grouped queries has the products of Llama 3 8B") {
  const LayerWork layer = transformer_layer(shipped_model("llama3-8b"), Plan{});
  const double weights = 4096.0 * (4096 + 2 * 1024) + 4096.0 * 4096 + 3.0 * 4096 * 14336;
  CHECK(layer.parameters == weights + 2 * 4096);
  CHECK_THAT(
      gigaflop(layer.forward),
      WithinRel(
          (2 * variants_tokens * weights + 2 * variants_tokens * variants_tokens * 4096) / 1e9,
          1e-12));
}

TEST_CASE("gated layers keep q, k, v, o, gate, up, their product and the statistics") {
  const LayerWork layer = transformer_layer(shipped_model("llama3-8b"), Plan{});
  // Inputs of two norms and of their products are kept; there is no dropout.
  const double kept = 2 * variants_tokens * (4 * 4096 + 2 * 4096 + 2 * 1024 + 3 * 14336.0);
  CHECK(layer.activations.base() == kept + 4 * variants_tokens * 32);
}

TEST_CASE("an activation function apart keeps its output, gathered inputs stay whole") {
  Model model = shipped_model("llama3-8b");
  Plan plan{.tensor_parallel_size = 4, .sequence_parallel = true};
  const auto layer = [&] { return transformer_layer(model, plan); };
  const double kept = layer().activations.base();
  const auto gathers = [&] {
    return traffic(layer().backward, Group::Tensor, CollectiveKind::AllGather).count;
  };
  CHECK(gathers() == 4);
  auto& layers = std::get<TransformerLayers>(model.parts[1].shape);
  layers.keeps_activation = true;
  CHECK(layer().activations.base() - kept == 2 * variants_tokens * 14336 / 4);
  layers.keeps_activation = false;
  layers.keeps_gathered = true;
  // Three quarters of two inputs, which other ranks normed, are kept and not gathered again.
  CHECK(layer().activations.base() - kept == 2 * 2 * variants_tokens * 4096 * 3 / 4);
  CHECK(gathers() == 2);
}

TEST_CASE("in 8 bits products keep what they multiplied, all else what it computed in 16") {
  Plan plan;
  plan.precision = Precision::Fp8;
  const double statistics = 4 * 32;
  const double norms = 2 * 2 * 4096;
  const double cast = 4096 + 4096 + 14336;  // inputs of q, k, v; of gate, up; of down
  const double gates = 2 * 2 * 14336;
  const double heads = 4096 + 2 * 1024;
  const auto kept = [&] {
    return transformer_layer(shipped_model("llama3-8b"), plan).activations.base() / variants_tokens;
  };
  // The output of attention is kept twice: for its own backward pass, and cast for the next
  // product.
  CHECK(kept() == norms + cast + gates + 2 * heads + (2 + 1) * 4096 + statistics);
  plan.fp8_attention = true;
  CHECK(kept() == norms + cast + gates + heads + 4096 + statistics);
  plan.precision = Precision::Bf16;
  CHECK(kept() == norms + 2 * cast + gates + 2 * (heads + 4096) + statistics);
}

TEST_CASE("in 8 bits tensor-parallel ranks gather half the bytes, and add up as many") {
  Plan plan{.tensor_parallel_size = 4, .sequence_parallel = true};
  const auto bytes = [&](CollectiveKind kind) {
    const LayerWork layer = transformer_layer(shipped_model("llama3-8b"), plan);
    Bytes sum;
    for (const PassWork* pass : {&layer.forward, &layer.backward})
      for (const Exchange& each : pass->exchanges)
        if (each.collective == kind) sum += each.count * each.payload;
    return sum;
  };
  const Bytes gathered = bytes(CollectiveKind::AllGather);
  const Bytes added = bytes(CollectiveKind::ReduceScatter);
  plan.precision = Precision::Fp8;
  CHECK(bytes(CollectiveKind::AllGather) == gathered / 2);
  CHECK(bytes(CollectiveKind::ReduceScatter) == added);
}

TEST_CASE("element-wise kernels of gated, rotary layers without dropout or biases") {
  const LayerWork layer = transformer_layer(shipped_model("llama3-8b"), Plan{});
  const double stream = variants_tokens * 4096;
  const double rotated = variants_tokens * (4096 + 1024);
  const double inner = variants_tokens * 14336;
  // Two norms and two sums; q and k are read and written; gate and up are read, and their product
  // is written.
  CHECK_THAT(moved_bytes(layer.forward),
             WithinRel(2 * (4 + 6) * stream + 4 * rotated + 6 * inner, 1e-12));
  // Two norms, their weights and two sums; gate, up and a gradient are read, and two are written.
  CHECK_THAT(moved_bytes(layer.backward),
             WithinRel(2 * (6 + 4 + 6) * stream + 4 * rotated + 10 * inner, 1e-12));
}

TEST_CASE("selective recomputation of fused attention saves its statistics alone") {
  const Model model = shipped_model("llama3-8b");
  const LayerWork none = transformer_layer(model, Plan{});
  const LayerWork selective = transformer_layer(model, {.recompute = Recompute::Selective});
  CHECK(none.activations.base() - selective.activations.base() == 4 * variants_tokens * 32);
  CHECK(launches(selective.recompute) == 1);
}

TEST_CASE("selective recomputation may save attention and every second product") {
  Model model = shipped_model("llama3-8b");
  Plan plan{.recompute = Recompute::Selective};
  auto& layers = std::get<TransformerLayers>(model.parts[1].shape);
  layers.selective_recompute = SelectiveRecompute::EverySecondProduct;
  const LayerWork layer = transformer_layer(model, plan);
  // Kept: input, q, v, attention and its statistics, gate, down.
  const double kept = 2.0 * (4096 + 4096 + 1024 + 4096 + 14336 + 4096) + 4 * 32;
  CHECK(layer.activations.base() == kept * variants_tokens);
  // Recomputed: k, out, up.
  Flops again;
  for (const Kernel& kernel : layer.recompute.kernels) again += kernel.flops();
  CHECK(again == Flops{2 * variants_tokens * 4096 * (1024.0 + 4096 + 14336)});
  // In 8 bits the outputs of the products stay the same.
  plan.precision = Precision::Fp8;
  CHECK(transformer_layer(model, plan).activations == layer.activations);
  plan.precision.reset();
  // Ranks split all but the input, the whole output of down, and the data that they reduce-scatter.
  plan.tensor_parallel_size = 4;
  plan.sequence_parallel = true;
  const double split = 2.0 * (4096 / 4 * 5 + 1024 / 4 + 14336 / 4 + 4096) + 4 * 32 / 4;
  CHECK(transformer_layer(model, plan).activations.base() == split * variants_tokens);
  plan.recompute = Recompute::None;
  CHECK(transformer_layer(model, plan).recompute.kernels.empty());
}

TEST_CASE("MaxText's policies save products outside the MLP, or none where the host holds them") {
  Model model = shipped_model("llama3-8b");
  const Plan plan{.recompute = Recompute::Selective};
  auto& layers = std::get<TransformerLayers>(model.parts[1].shape);
  const auto has_core = [](const LayerWork& layer) {
    return std::any_of(layer.recompute.kernels.begin(), layer.recompute.kernels.end(),
                       [](const Kernel& k) { return k.arithmetic == Arithmetic::Attention; });
  };
  const auto products = [](const LayerWork& layer) {
    Flops sum;
    for (const Kernel& kernel : layer.recompute.kernels)
      if (kernel.arithmetic == Arithmetic::Matmul) sum += kernel.flops();
    return sum;
  };
  const double outside = 2.0 * (4096 + 4096 + 2 * 1024 + 4096);  // input, q, k, v, out
  const Flops gates{2 * variants_tokens * 4096 * 2.0 * 14336};
  layers.selective_recompute = SelectiveRecompute::CoreAndMlp;
  LayerWork layer = transformer_layer(model, plan);
  CHECK(layer.activations.base() == outside * variants_tokens);
  CHECK(products(layer) == gates);
  CHECK(has_core(layer));
  layers.selective_recompute = SelectiveRecompute::CoreAndMlpInputs;
  layer = transformer_layer(model, plan);
  CHECK(layer.activations.base() == (outside + 2 * 4096) * variants_tokens);
  CHECK(products(layer) == gates);
  layers.selective_recompute = SelectiveRecompute::Offloaded;
  layer = transformer_layer(model, plan);
  CHECK(layer.activations == Bytes{});
  CHECK(products(layer) == gates + Flops{2 * variants_tokens * 4096 * 4096.0});
  CHECK(has_core(layer));
}

TEST_CASE("a ring of context-parallel ranks passes keys and values on") {
  const Plan plan{.context_parallel_size = 4};
  const Model model = shipped_model("llama3-8b");
  const LayerWork layer = transformer_layer(model, plan);
  const double block = 2 * 2 * variants_tokens / 4 * 1024;  // K and V of a quarter of the tokens
  const auto forward = traffic(layer.forward, Group::Context, CollectiveKind::SendReceive);
  CHECK(forward.count == 3);
  CHECK(forward.bytes == 3 * block);
  CHECK(traffic(layer.backward, Group::Context, CollectiveKind::SendReceive).bytes ==
        2 * 3 * block);
  CHECK(attention_kernel(layer.forward).count == 4);
  CHECK_THAT(gigaflop(layer.forward),
             WithinRel(gigaflop(transformer_layer(model, Plan{}).forward) / 4, 1e-12));
}

TEST_CASE("context-parallel ranks may gather keys and values at once") {
  const Plan plan{.context_parallel_size = 4, .context_exchange = ContextExchange::AllGather};
  const LayerWork layer = transformer_layer(shipped_model("llama3-8b"), plan);
  const double whole = 2 * 2 * variants_tokens * 1024;
  const auto forward = traffic(layer.forward, Group::Context, CollectiveKind::AllGather);
  CHECK(forward.count == 1);
  CHECK(forward.bytes == whole);
  CHECK(traffic(layer.backward, Group::Context, CollectiveKind::AllGather).bytes == whole);
  CHECK(traffic(layer.backward, Group::Context, CollectiveKind::ReduceScatter).bytes == whole);
  CHECK(attention_kernel(layer.forward).count == 1);
}

TEST_CASE("experts: tokens travel there and back, in both passes") {
  Plan plan{.data_parallel_size = 8, .expert_parallel_size = 8};
  const LayerWork layer = transformer_layer(shipped_model("mixtral-8x7b"), plan);
  const double routed = 32768.0 * 2 * 4096 * 2;  // two experts a token, two bytes
  for (const PassWork* pass : {&layer.forward, &layer.backward}) {
    CHECK(traffic(*pass, Group::Expert, CollectiveKind::AllToAll).count == 2);
    CHECK(traffic(*pass, Group::Expert, CollectiveKind::AllToAll).bytes == 2 * routed);
  }
}

TEST_CASE("experts at a latent width: two products more, all else narrower") {
  const Plan plan{.data_parallel_size = 8, .expert_parallel_size = 8};
  Model model = shipped_model("mixtral-8x7b");
  const LayerWork full = transformer_layer(model, plan);
  constexpr double tokens = 32768, hidden = 4096, width = 14336, latent = 1024;
  for (ModelPart& part : model.parts)
    if (auto* layers = std::get_if<TransformerLayers>(&part.shape)) layers->expert_latent = 1024;
  const LayerWork narrow = transformer_layer(model, plan);
  CHECK(narrow.expert_parameters == 3 * latent * width);
  CHECK(narrow.parameters == full.parameters + 2 * hidden * latent);
  const double saved = 2 * tokens * (2 * 3 * (hidden - latent) * width - 2 * hidden * latent);
  CHECK_THAT(gigaflop(full.forward) - gigaflop(narrow.forward), WithinRel(saved / 1e9, 1e-9));
  CHECK_THAT(gigaflop(full.backward) - gigaflop(narrow.backward), WithinRel(2 * saved / 1e9, 1e-9));
  for (const auto pass : {&LayerWork::forward, &LayerWork::backward})
    CHECK(traffic(narrow.*pass, Group::Expert, CollectiveKind::AllToAll).bytes ==
          latent / hidden * traffic(full.*pass, Group::Expert, CollectiveKind::AllToAll).bytes);
  CHECK(narrow.activations < full.activations);
}

TEST_CASE("experts share the routed tokens evenly, and their weights over the ranks") {
  const Model model = shipped_model("mixtral-8x7b");
  const LayerWork whole = transformer_layer(model, Plan{});
  const LayerWork split =
      transformer_layer(model, {.data_parallel_size = 4, .expert_parallel_size = 4});
  CHECK(whole.expert_parameters == 8 * 3 * 4096.0 * 14336);
  CHECK(split.expert_parameters == whole.expert_parameters / 4);
  CHECK(split.parameters == whole.parameters);
  CHECK(gigaflop(split.forward) == gigaflop(whole.forward));
  for (const Kernel& kernel : split.forward.kernels)
    if (kernel.batch == 2 && kernel.arithmetic == Arithmetic::Matmul)
      CHECK(kernel.m == 32768 * 2 * 4 / 8);  // tokens of four ranks
  CHECK(whole.forward.exchanges.empty());
}

TEST_CASE("a mixture also moves its scores, and each token to its experts and back") {
  const LayerWork layer = transformer_layer(shipped_model("mixtral-8x7b"), Plan{});
  const double length = 32768;
  const double stream = length * 4096;
  const double dense = 2 * (4 + 6) * stream + 4 * length * (4096 + 1024);
  const double scores = 8 * length * 8;
  const double dispatch = 2 * (stream + 2 * stream);  // read once and written twice, or back
  CHECK_THAT(moved_bytes(layer.forward),
             WithinRel(dense + scores + 2 * dispatch + 6 * 2 * length * 14336, 1e-12));
}

TEST_CASE("gathered tokens are as many as are routed") {
  Plan plan{.tensor_parallel_size = 2, .data_parallel_size = 8, .expert_parallel_size = 8};
  plan.sequence_parallel = true;
  const LayerWork layer = transformer_layer(shipped_model("mixtral-8x7b"), plan);
  const double payload = 32768.0 * 4096 * 2;
  CHECK(traffic(layer.forward, Group::Tensor, CollectiveKind::AllGather).bytes == 3 * payload);
  CHECK(traffic(layer.forward, Group::Expert, CollectiveKind::AllToAll).bytes == 2 * payload);
}

TEST_CASE("whole experts see the tokens of one rank's stream and gather none") {
  Plan plan{.tensor_parallel_size = 2, .data_parallel_size = 8, .expert_parallel_size = 8};
  plan.sequence_parallel = true;
  const Model model = shipped_model("mixtral-8x7b");
  const LayerWork split = transformer_layer(model, plan);
  plan.whole_experts = true;
  const LayerWork whole = transformer_layer(model, plan);
  const double payload = 32768.0 * 4096 * 2;
  CHECK(traffic(whole.forward, Group::Tensor, CollectiveKind::AllGather).bytes == payload);
  CHECK(traffic(whole.forward, Group::Tensor, CollectiveKind::ReduceScatter).bytes == payload);
  CHECK(traffic(whole.forward, Group::Expert, CollectiveKind::AllToAll).bytes == 2 * payload);
  CHECK(whole.expert_parameters == 3 * 4096.0 * 14336);
  CHECK(split.expert_parameters == whole.expert_parameters / 2);
  CHECK(gigaflop(whole.forward) == gigaflop(split.forward));
}

TEST_CASE("frozen layers have gradients of their inputs alone, adapters both") {
  const LayerWork layer = transformer_layer(shipped_model("llama2-70b-lora"), Plan{});
  const double adapters = 16.0 * (8192 + 10240 + 8192 + 8192);
  CHECK_THAT(layer.trainable * layer.parameters, WithinRel(adapters, 1e-12));
  double marked = 0;
  double all = 0;
  for (const Kernel& kernel : layer.backward.kernels) {
    if (kernel.is_weight_gradient) marked += kernel.flops().base();
    if (kernel.arithmetic == Arithmetic::Matmul) all += kernel.flops().base();
  }
  CHECK_THAT(marked, WithinRel(2 * variants_tokens * adapters, 1e-12));
  const double frozen = 8192.0 * 10240 + 8192.0 * 8192 + 3 * 8192.0 * 28672;
  CHECK_THAT(all, WithinRel(2 * variants_tokens * (frozen + 2 * adapters), 1e-12));
}

TEST_CASE("sequence parallelism of frozen layers gathers nothing twice") {
  const Plan plan{.tensor_parallel_size = 4, .sequence_parallel = true};
  const LayerWork layer = transformer_layer(shipped_model("llama2-70b-lora"), plan);
  const auto count = [&](CollectiveKind kind) {
    return traffic(layer.backward, Group::Tensor, kind).count;
  };
  CHECK(count(CollectiveKind::AllGather) + count(CollectiveKind::ReduceScatter) == 4);
}

TEST_CASE("what is frozen keeps less") {
  Model model = shipped_model("llama2-70b-lora");
  const double frozen = transformer_layer(model, Plan{}).activations.base();
  std::get<TransformerLayers>(model.parts[1].shape).lora_rank = 0;
  const double trained = transformer_layer(model, Plan{}).activations.base();
  // The inputs of gate, up and down, in 8 bits, are dropped; the adapters' narrow rows, in 16, are
  // added.
  CHECK(trained - frozen == variants_tokens * (8192 + 28672 - 2 * 2 * 16));
}

TEST_CASE("a frozen vocabulary keeps the input of its norm alone") {
  Model model = shipped_model("llama3-8b");
  const auto kept = [&](bool is_frozen) {
    for (ModelPart& part : model.parts)
      if (auto* vocabulary = std::get_if<Vocabulary>(&part.shape)) vocabulary->frozen = is_frozen;
    return layer_work(model, Plan{}).back().activations.base();
  };
  CHECK(kept(false) - kept(true) == 2.0 * 8192 * 4096);
}

TEST_CASE("a window bounds the keys that a query sees") {
  Model model = shipped_model("llama3-8b");
  const double all = attention_kernel(transformer_layer(model, Plan{}).forward).flops().base();
  auto& layers = std::get<TransformerLayers>(model.parts[1].shape);
  const auto share = [&] {
    return attention_kernel(transformer_layer(model, Plan{}).forward).flops().base() / all;
  };
  layers.window = 2048;
  // The first 2048 of 8192 queries see a triangle, and the others 2048 keys: 0.5/16 + 3/16 of s^2.
  CHECK_THAT(share(), WithinRel((0.5 + 3) / 16 / 0.5, 1e-12));
  layers.window_share = 0.5;  // every other layer sees all keys
  CHECK_THAT(share(), WithinRel((1 + 3.5 / 8) / 2, 1e-12));
  layers.window = 10000;
  CHECK(share() == 1);
}

TEST_CASE("a window saves arithmetic of each context-parallel rank alike") {
  Model model = shipped_model("llama3-8b");
  std::get<TransformerLayers>(model.parts[1].shape).window = 2048;
  const double one = gigaflop(transformer_layer(model, Plan{}).forward);
  CHECK_THAT(gigaflop(transformer_layer(model, {.context_parallel_size = 4}).forward),
             WithinRel(one / 4, 1e-12));
}

TEST_CASE("latent attention: products to narrow rows, from them to heads, and unlike heads") {
  const std::vector<LayerWork> layers = layer_work(shipped_model("deepseek-v3"), Plan{});
  const LayerWork dense = *find_layer(layers, "dense layers");
  const double length = 4096;
  const double down = 7168.0 * (1536 + 512 + 64);
  const double up = 1536.0 * 128 * 192 + 512.0 * 128 * (128 + 128);
  const double projection = 128.0 * 128 * 7168;
  const double mlp = 3.0 * 7168 * 18432;
  CHECK(dense.parameters == down + up + projection + mlp + 1536 + 512 + 2 * 7168);
  // Scores of heads of 192 and values of 128, for the causal half.
  const double core = length * length * 128 * (192 + 128);
  CHECK_THAT(gigaflop(dense.forward),
             WithinRel((2 * length * (down + up + projection + mlp) + core) / 1e9, 1e-12));
  // Backward: scores again, gradients of q and k (192), of values and of scores (128).
  CHECK_THAT(attention_kernel(dense.backward).flops().base(),
             WithinRel(length * length * 128 * (3 * 192 + 2 * 128), 1e-12));
  CHECK_THAT(attention_kernel(dense.backward).repeated, WithinRel(192.0 / 832, 1e-12));
  CHECK(attention_kernel(dense.forward).bytes.base() == 2 * 2 * length * 128 * (192 + 128));
}

// arXiv 2512.02556, section 2.1, with the dimensions of DeepSeek-V3.2.
TEST_CASE("an index scores all keys before, and attention is to those that it chose") {
  Model model = shipped_model("deepseek-v3");
  const auto dense = [&](const Plan& plan) {
    return *find_layer(layer_work(model, plan), "dense layers");
  };
  const LayerWork whole = dense(Plan{});
  const LayerWork whole_split = dense({.tensor_parallel_size = 8});
  for (ModelPart& part : model.parts)
    if (auto* layers = std::get_if<TransformerLayers>(&part.shape)) {
      layers->latent->index_heads = 64;
      layers->latent->index_head_size = 128;
      layers->latent->index_keys = 2048;
    }
  const LayerWork sparse = dense(Plan{});
  const double length = 4096;
  // Products from narrow rows to queries, and from the stream to a key and the heads' weights; a
  // norm with its bias.
  const double products = 1536.0 * 64 * 128 + 7168.0 * (128 + 64);
  CHECK(sparse.parameters - whole.parameters == products + 2 * 128);
  CHECK(dense({.tensor_parallel_size = 8}).parameters - whole_split.parameters ==
        products + 2 * 128);
  // Pairs of a query and a key: all keys before it, or those of the first 2048 tokens and 2048 for
  // each later one.
  const double all = length * length / 2;
  const double chosen = 2048.0 * 2048 / 2 + 2048.0 * 2048;
  const double index = 2 * all * 64 * 128;
  const double core = 2 * 128 * (192 + 128) * (chosen - all);
  CHECK_THAT(gigaflop(sparse.forward) - gigaflop(whole.forward),
             WithinRel((2 * length * products + index + core) / 1e9, 1e-9));
  // Backward has gradients of weights only, because the inputs of the index are detached. It
  // recomputes the scores of chosen keys, with the gradients of their queries and keys.
  const double back = 2 * chosen * 64 * 128 * 3;
  const double core_back = 2 * 128 * (3 * 192 + 2 * 128) * (chosen - all);
  CHECK_THAT(gigaflop(sparse.backward) - gigaflop(whole.backward),
             WithinRel((2 * length * products + back + core_back) / 1e9, 1e-9));
  // Keys before and after their norm, weights and queries in 16 bits; places of chosen keys in 32.
  CHECK(sparse.activations.base() - whole.activations.base() ==
        2 * length * (2 * 128 + 64 + 64 * 128) + 4 * length * 2048);
}

TEST_CASE("tensor-parallel ranks each make the narrow rows, and gather them where they are split") {
  const Model model = shipped_model("deepseek-v3");
  Plan plan{.tensor_parallel_size = 8};
  const auto dense = [&] { return *find_layer(layer_work(model, plan), "dense layers"); };
  const double one = 7168.0 * 2112 + 1536 + 512 + 2 * 7168;
  const double split =
      1536.0 * 128 * 192 + 512.0 * 128 * 256 + 128.0 * 128 * 7168 + 3.0 * 7168 * 18432;
  CHECK(dense().parameters == one + split / 8);
  plan.sequence_parallel = true;
  const double stream = 2 * 4096.0 * 7168;
  // Inputs of the MLP are gathered in 8 bits; inputs with a norm before their product in 16.
  CHECK(traffic(dense().forward, Group::Tensor, CollectiveKind::AllGather).bytes ==
        stream / 2 + 2 * 4096.0 * 2112);
  CHECK(traffic(dense().forward, Group::Tensor, CollectiveKind::ReduceScatter).bytes == 2 * stream);
}

TEST_CASE("shared experts work on every token and are on every rank") {
  Model model = shipped_model("mixtral-8x7b");
  const LayerWork without = transformer_layer(model, Plan{});
  std::get<TransformerLayers>(model.parts[1].shape).shared_feed_forward = 7168;
  const Plan experts{.data_parallel_size = 8, .expert_parallel_size = 8};
  const double weights = 3.0 * 4096 * 7168;
  for (const Plan& plan : {Plan{}, experts}) {
    const LayerWork with = transformer_layer(model, plan);
    CHECK(with.parameters - without.parameters == weights);
    CHECK_THAT(gigaflop(with.forward) - gigaflop(without.forward),
               WithinRel(2 * 32768 * weights / 1e9, 1e-9));
  }
  CHECK(transformer_layer(model, Plan{}).expert_parameters == without.expert_parameters);
  // Gate, up and their product are kept.
  CHECK(transformer_layer(model, Plan{}).activations.base() - without.activations.base() ==
        2 * 32768.0 * 3 * 7168);
}

TEST_CASE("a router's product has a bias for each expert where products have biases") {
  Model model = shipped_model("mixtral-8x7b");
  auto& layers = std::get<TransformerLayers>(model.parts[1].shape);
  layers.query_key_value_biases = layers.norm_biases = false;
  const double without = transformer_layer(model, Plan{}).parameters;
  layers.biases = true;
  const double out_of_attention = 4096;
  CHECK(transformer_layer(model, Plan{}).parameters - without == out_of_attention + 8);
}

TEST_CASE("biases and norms of their own") {
  Model model = shipped_model("llama3-8b");
  auto& layers = std::get<TransformerLayers>(model.parts[1].shape);
  const LayerWork plain = transformer_layer(model, Plan{});
  layers.query_key_value_biases = true;
  CHECK(transformer_layer(model, Plan{}).parameters - plain.parameters == 4096 + 2 * 1024);
  layers.query_key_value_biases = {};
  layers.norm_biases = true;
  CHECK(transformer_layer(model, Plan{}).parameters - plain.parameters == 2 * 4096);
  layers.norm_biases = {};
  layers.norms = 4;
  layers.query_key_norms = true;
  const LayerWork normed = transformer_layer(model, Plan{});
  CHECK(normed.parameters - plain.parameters == 2 * 4096 + 2 * 128);
  // Two more norms of the stream and one of q and k are each read and written in two bytes.
  CHECK_THAT(moved_bytes(normed.forward) - moved_bytes(plain.forward),
             WithinRel(4 * variants_tokens * (2 * 4096 + 4096 + 1024), 1e-12));
  layers.norms = 1;
  layers.query_key_norms = false;
  const LayerWork parallel = transformer_layer(model, Plan{});
  CHECK(plain.parameters - parallel.parameters == 4096);
  CHECK_THAT(moved_bytes(plain.forward) - moved_bytes(parallel.forward),
             WithinRel(4 * variants_tokens * 4096, 1e-12));
}

TEST_CASE("a gate of the heads' outputs is made by the product to queries") {
  Model model = shipped_model("llama3-8b");
  auto& layers = std::get<TransformerLayers>(model.parts[1].shape);
  const LayerWork plain = transformer_layer(model, Plan{});
  layers.output_gate = true;
  const LayerWork gated = transformer_layer(model, Plan{});
  const double width = 4096;
  CHECK(gated.parameters - plain.parameters == width * width);
  const double product = 2e-9 * variants_tokens * width * width;
  CHECK_THAT(gigaflop(gated.forward) - gigaflop(plain.forward), WithinRel(product, 1e-9));
  CHECK_THAT(gigaflop(gated.backward) - gigaflop(plain.backward), WithinRel(2 * product, 1e-9));
  // The gate and the gated output are kept, in two bytes.
  CHECK((gated.activations - plain.activations).base() == 4 * variants_tokens * width);
  // The gate and the output are read, and one is written.
  CHECK_THAT(moved_bytes(gated.forward) - moved_bytes(plain.forward),
             WithinRel(6 * variants_tokens * width, 1e-12));
  // Backward, the gate, the output and the gradient are read, and two gradients are written.
  CHECK_THAT(moved_bytes(gated.backward) - moved_bytes(plain.backward),
             WithinRel(10 * variants_tokens * width, 1e-12));
}

TEST_CASE("logits of a vocabulary that two ranks split keep what the framework keeps of them") {
  Model model = shipped_model("llama3-8b");
  for (ModelPart& part : model.parts)
    if (auto* vocabulary = std::get_if<Vocabulary>(&part.shape)) {
      vocabulary->loss_bytes = 8;
      vocabulary->split_loss_bytes = 12;
    }
  const auto loss = [&](int tensor) {
    double bytes = 0;
    for (const LayerWork& layer : layer_work(model, {.tensor_parallel_size = tensor}))
      bytes += layer.loss.base();
    return bytes;
  };
  // Each of two ranks has half of the logits, with four more bytes for each of them.
  const double logits = variants_tokens * 128256;
  CHECK_THAT(loss(2) - loss(1) / 2, WithinRel(4 * logits / 2, 1e-9));
}

TEST_CASE(
    "tensor-parallel ranks hold the conditioning whole and share the second stream's weights") {
  Model plain = shipped_model("llama3-8b");
  auto& layers =
      std::get<TransformerLayers>(std::ranges::find_if(plain.parts, [](const ModelPart& part) {
                                    return std::holds_alternative<TransformerLayers>(part.shape);
                                  })->shape);
  const Plan split{.tensor_parallel_size = 4, .sequence_parallel = true};
  const double alone = transformer_layer(plain, split).parameters;
  const double kernels = gigaflop(transformer_layer(plain, split).forward);
  layers.conditioning = 6 * 4096;
  const LayerWork conditioned = transformer_layer(plain, split);
  CHECK_THAT(conditioned.parameters - alone, WithinRel(6.0 * 4096 * 4096, 1e-12));
  CHECK_THAT(gigaflop(conditioned.forward) - kernels, WithinRel(2 * 6.0 * 4096 * 4096 / 1e9, 1e-6));
  layers.conditioning = 0;
  layers.streams = 2;
  const double weights = 4096.0 * (4096 + 2 * 1024) + 4096.0 * 4096 + 3.0 * 4096 * 14336;
  CHECK_THAT(transformer_layer(plain, split).parameters - alone, WithinRel(weights / 4, 1e-12));
}
