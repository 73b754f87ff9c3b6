#include "sim/model/fine_tuning.hpp"

#include "sim/memory/footprint.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/unit/model/models.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

double trained(std::string_view model, const FineTuning& request) {
  return trainable_parameters(fine_tuned(shipped_model(model), request));
}

std::string refusal_of(std::string_view model, const FineTuning& request) {
  return refusal([&] { fine_tuned(shipped_model(model), request); });
}

constexpr double layers_of_8b = 32;
/// Weights of one layer of Llama 3 8B: queries and output, keys and values, the MLP.
constexpr double products_of_8b = 2 * 4096.0 * 4096 + 2 * 4096.0 * 1024 + 3 * 4096.0 * 14336;

double gigaflop_backward(const Model& model) {
  double sum = 0;
  for (const LayerWork& layer : layer_work(model, Plan{}))
    sum += layer.count * gigaflop(layer.backward);
  return sum;
}

}  // namespace

TEST_CASE("adapters have the parameters that PEFT prints of Llama 3 8B") {
  using enum LoraTarget;
  // `trainable params` of rank 16 (github.com/huggingface/peft).
  CHECK(trained("llama3-8b", {.lora_rank = 16, .lora_targets = {Query, Value}}) == 6'815'744);
  CHECK(trained("llama3-8b",
                {.lora_rank = 16, .lora_targets = {Query, Key, Value, Output, Gate, Up, Down}}) ==
        41'943'040);
  // Megatron-LM joins products, so the adapters' parts down to the rank are joined as well.
  CHECK(trained("llama3-70b", {.lora_rank = 16}) == 44'564'480);
  CHECK(trained("llama3-8b", {.lora_rank = 16, .lora_targets = {GateUp, Down}}) ==
        layers_of_8b * 16 * ((4096 + 2 * 14336) + (14336 + 4096)));
}

TEST_CASE("each expert has adapters of its own") {
  using enum LoraTarget;
  const Model mixture =
      fine_tuned(shipped_model("mixtral-8x7b"), {.lora_rank = 8, .lora_targets = {Up, Down}});
  CHECK(trainable_parameters(mixture) == 32.0 * 8 * 2 * 8 * (4096 + 14336));
  for (const LayerWork& layer : layer_work(mixture, Plan{}))
    if (layer.expert_parameters > 0) {
      CHECK(layer.trained() == 0);
      CHECK_THAT(layer.trained_experts(), WithinRel(8 * 2 * 8 * (4096.0 + 14336), 1e-12));
    }
}

TEST_CASE("a token's FLOPs are 6 of each parameter, of frozen ones 4") {
  const Model whole = shipped_model("llama3-8b");
  CHECK(parameter_flops(whole) == 6 * parameters(whole));
  const Model mixture = shipped_model("mixtral-8x7b");
  CHECK(parameter_flops(mixture) == 6 * active_parameters(mixture));
  const double embedding = 128256.0 * 4096;
  const double adapters = trained("llama3-8b", {.lora_rank = 16});
  // Nothing before the embedding trains, so the gradient of its input is not computed either.
  CHECK_THAT(parameter_flops(fine_tuned(whole, {.lora_rank = 16})),
             WithinRel(4 * parameters(whole) - 2 * embedding + 6 * adapters, 1e-12));
}

TEST_CASE("adapters have three products each, frozen weights no gradient") {
  const double rank = 16;
  const double tokens = 8192;
  const Model whole = shipped_model("llama3-8b");
  const Model adapted = fine_tuned(whole, {.lora_rank = 16});
  // Adapters of qkv and of the projection have a product down and one up.
  const double adapters = rank * ((4096.0 + 6144) + (4096 + 4096));
  const double before = gigaflop(transformer_layer(whole, Plan{}).backward);
  const double after = gigaflop(transformer_layer(adapted, Plan{}).backward);
  CHECK_THAT((before - after) * 1e9, WithinRel(2 * tokens * (products_of_8b - 2 * adapters), 1e-9));
}

TEST_CASE("no gradient reaches what lies before all that trains") {
  const Model whole = shipped_model("llama3-8b");
  const Model upper = fine_tuned(whole, {.freeze = {"vocabulary", "transformer:24"}});
  const std::vector<LayerWork> layers = layer_work(upper, Plan{});
  REQUIRE(layers.size() == 4);  // the embedding, 24 layers, 8 layers, the product
  CHECK(layers[1].count == 24);
  CHECK(layers[1].backward.kernels.empty());
  CHECK(layers[1].activations == Bytes{});
  CHECK(layers[2].count == 8);
  CHECK(layers[2].trainable == 1);
  CHECK(trainable_parameters(upper) == 8 * (products_of_8b + 2 * 4096));
  // The trained layers compute as before; the product's weights have no gradient.
  const double product = 2e-9 * 8192 * 128256.0 * 4096;
  CHECK_THAT(gigaflop_backward(upper),
             WithinRel(8 * gigaflop(transformer_layer(whole, Plan{}).backward) + product, 1e-9));
}

TEST_CASE("layers that are frozen twice count once") {
  const FineTuning once{.freeze = {"vocabulary", "transformer:24"}};
  const FineTuning twice{.freeze = {"vocabulary", "transformer:8", "transformer:24"}};
  CHECK(trained("llama3-8b", twice) == trained("llama3-8b", once));
  CHECK_THAT(refusal_of("llama3-8b", {.freeze = {"transformer:8", "transformer:33"}}),
             ContainsText("'transformer:33': there are 32"));
}

TEST_CASE("the optimizer and the gradients hold what trains") {
  const Model adapted = fine_tuned(shipped_model("llama3-8b"), {.lora_rank = 16});
  const Footprint held = footprints(layer_work(adapted, Plan{}), Plan{}, MemoryProfile{}).front();
  const double adapters = trainable_parameters(adapted);
  CHECK_THAT(held.optimizer.base(), WithinRel(12 * adapters, 1e-9));
  CHECK_THAT(held.gradients.base(), WithinRel(4 * adapters, 1e-9));
  CHECK_THAT(held.parameters.base(), WithinRel(2 * parameters(adapted), 1e-9));
}

TEST_CASE("packed texts attend to themselves alone") {
  const Model whole = shipped_model("llama3-8b");
  const auto attention = [](const Model& model) {
    double sum = 0;
    for (const Kernel& kernel : transformer_layer(model, Plan{}).forward.kernels)
      if (kernel.arithmetic == Arithmetic::Attention) sum += kernel.flops().base();
    return sum;
  };
  CHECK_THAT(attention(whole) / attention(fine_tuned(whole, {.packed_length = 512})),
             WithinRel(16.0, 1e-12));
  CHECK_THAT(attention(whole) / attention(fine_tuned(whole, {.packed_length = 8192})),
             WithinRel(1.0, 1e-12));
}

TEST_CASE("what is asked of a fine-tuning is told, and nothing else") {
  const auto reported = [](const FineTuning& request) {
    return fine_tuned(shipped_model("llama3-8b"), request).substitutions.back();
  };
  CHECK_THAT(reported({.lora_rank = 16}), ContainsText("adapters of rank 16"));
  CHECK_THAT(reported({.lora_rank = 16}), !ContainsText("pack texts"));
  CHECK_THAT(reported({.lora_rank = 16}), !ContainsText("frozen,"));
  CHECK_THAT(reported({.packed_length = 512}),
             ContainsText("samples of 8192 tokens pack texts of 512"));
  CHECK_THAT(reported({.packed_length = 512}), !ContainsText("adapters"));
}

TEST_CASE("what cannot be fine-tuned is refused by its option") {
  using enum LoraTarget;
  CHECK(refusal_of("llama3-8b", {.lora_targets = {Query}}) == "--lora-targets: needs --lora-rank");
  CHECK(refusal_of("llama3-8b", {.lora_rank = 8, .lora_targets = {QueryKeyValue, Query}}) ==
        "--lora-targets: linear_qkv holds q_proj: leave one out");
  CHECK(refusal_of("llama3-8b", {.lora_rank = 8, .lora_targets = {Down, Down}}) ==
        "--lora-targets: names linear_fc2 twice");
  CHECK(refusal_of("gpt3-175b", {.lora_rank = 8, .lora_targets = {Gate}}) ==
        "--lora-targets: gate_proj is of gated layers, which these are not");
  CHECK(refusal_of("deepseek-v3", {.lora_rank = 8}) ==
        "--lora-targets: adapters of latent attention are not modelled: name products of the MLP");
  CHECK(refusal_of("resnet-50", {.lora_rank = 8}) ==
        "--lora-rank: needs transformer layers, which resnet-50 lacks");
  CHECK(refusal_of("llama3-8b", {.freeze = {"vocabulry"}}) ==
        "--freeze: unknown part 'vocabulry', did you mean 'vocabulary'? valid parts: vocabulary, "
        "transformer");
  CHECK(refusal_of("llama3-8b", {.freeze = {"transformer:33"}}) ==
        "--freeze: 'transformer:33': there are 32");
  CHECK(refusal_of("llama3-8b", {.freeze = {"vocabulary", "transformer"}}) ==
        "--freeze: leaves nothing to train");
  CHECK(refusal_of("llama3-8b", {.packed_length = 8193}) ==
        "--packed-length: must be at most the 8192 tokens of a sample");
}

TEST_CASE("what frozen parameters take is told where some are frozen") {
  const auto told = [](const FineTuning& request) {
    return fine_tuned(shipped_model("llama3-8b"), request).substitutions.back();
  };
  CHECK_THAT(told({.freeze = {"vocabulary"}}),
             ContainsText("parameters train; a frozen one takes 4 or 2 FLOPs a token, and not 6"));
}
