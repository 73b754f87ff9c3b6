#include "sim/parallelism/recompute_modules.hpp"

#include "sim/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/unit/model/models.hpp"

using namespace tofn;
using namespace tofn::test;

// Memory that selective recomputation of modules frees, and work that it repeats, in one layer of
// mixtral-8x7b: 32,768 tokens of 4096, two of eight experts of 14,336 each, in 16 bits.
namespace {

constexpr double routed_tokens = 32768;
constexpr double routed_stream = routed_tokens * 4096;
constexpr double routed_inner = 2 * routed_tokens * 14336;  // both experts of each token

LayerWork layer_with(RecomputeModules modules) {
  return transformer_layer(shipped_model("mixtral-8x7b"),
                           {.recompute = Recompute::Selective, .recompute_modules = modules});
}
double freed_by(RecomputeModule module) {
  const LayerWork kept = transformer_layer(shipped_model("mixtral-8x7b"), Plan{});
  return kept.activations.base() - layer_with({module}).activations.base();
}

}  // namespace

TEST_CASE("norms that are made again are kept as neither branch's input") {
  CHECK(freed_by(RecomputeModule::LayerNorm) == 2 * 2 * routed_stream);
  // Each norm reads its input and writes its output.
  CHECK(moved_bytes(layer_with({RecomputeModule::LayerNorm}).recompute) ==
        2 * 2 * 2 * routed_stream);
}

TEST_CASE("the activation function of experts is made again of gate and up, which stay") {
  CHECK(freed_by(RecomputeModule::ExpertActivation) == 2 * routed_inner);
  const PassWork again = layer_with({RecomputeModule::ExpertActivation}).recompute;
  CHECK(gigaflop(again) == 0);
  CHECK(moved_bytes(again) == 3 * 2 * routed_inner);
}

TEST_CASE("experts that are all run again keep their input alone") {
  // Gate, up and the activation function's output; dispatched tokens and the experts' answers;
  // eight bytes of the router's softmax for each expert.
  CHECK(freed_by(RecomputeModule::Experts) ==
        3 * 2 * routed_inner + 2 * 2 * (2 * routed_stream) + 8 * routed_tokens * 8);
  const LayerWork layer = layer_with({RecomputeModule::Experts});
  // The three products of the experts and that of the router.
  CHECK_THAT(gigaflop(layer.recompute),
             WithinRel(2e-9 * (3 * routed_inner * 4096 + routed_tokens * 4096 * 8), 1e-12));
}

TEST_CASE("modules that a layer lacks change nothing, and none stated is the attention core") {
  CHECK(freed_by(RecomputeModule::SharedExperts) == 0);
  CHECK(freed_by(RecomputeModule::Mlp) == 0);
  CHECK(freed_by(RecomputeModule::LatentUpProjection) == 0);
  const LayerWork core = layer_with({RecomputeModule::CoreAttention});
  CHECK(core.activations == layer_with({}).activations);
  CHECK(gigaflop(core.recompute) == gigaflop(layer_with({}).recompute));
  CHECK(gigaflop(core.recompute) > 0);
}

TEST_CASE("a dense layer's MLP that is run again keeps its input alone") {
  const Model model = shipped_model("llama3-8b");
  const LayerWork kept = transformer_layer(model, Plan{});
  const LayerWork again = transformer_layer(
      model, {.recompute = Recompute::Selective, .recompute_modules = {RecomputeModule::Mlp}});
  const double width = model.sequence_length * 14336;
  CHECK(kept.activations.base() - again.activations.base() == 3 * 2 * width);
  CHECK_THAT(gigaflop(again.recompute), WithinRel(2e-9 * 3 * width * 4096, 1e-12));
}

TEST_CASE("operators that torchtitan saves are none of the experts'") {
  Model model = shipped_model("mixtral-8x7b");
  for (ModelPart& part : model.parts)
    if (auto* layers = std::get_if<TransformerLayers>(&part.shape))
      layers->selective_recompute = SelectiveRecompute::EverySecondProduct;
  const LayerWork layer = transformer_layer(model, {.recompute = Recompute::Selective});
  // The input, queries of 4096, values of 1024, the core's output and the statistics of its 32
  // heads.
  CHECK(layer.activations.base() ==
        2 * (routed_stream + routed_tokens * (4096 + 1024 + 4096)) + 4 * routed_tokens * 32);
  // Keys, the output projection, the router, and gate and up of the experts.
  CHECK_THAT(gigaflop(layer.recompute),
             WithinRel(2e-9 * (routed_tokens * 4096 * (1024 + 4096 + 8) + 2 * routed_inner * 4096),
                       1e-12));
}

TEST_CASE("names of modules are those of Megatron-LM") {
  CHECK(to_text(recompute_modules("moe_act, layernorm")) == "layernorm,moe_act");
  CHECK(recompute_modules("").is_empty());
  CHECK_THROWS_WITH(recompute_modules("moe_atc"),
                    ContainsText("unknown module 'moe_atc', did you mean") &&
                        ContainsText("valid modules: core_attn, mla_up_proj, layernorm, mlp, "
                                     "moe, moe_act, shared_experts"));
}
