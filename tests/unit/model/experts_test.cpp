#include "sim/model/fine_tuning.hpp"
#include "tests/catch.hpp"
#include "tests/unit/model/models.hpp"

using namespace tofn;
using namespace tofn::test;

// Exchanges of tokens with experts: mixtral-8x7b's 32,768 tokens of 4096, two of eight experts
// each.
namespace {

constexpr double experts_stream = 32768.0 * 4096;

LayerWork mixtral_layer(const Plan& plan) {
  return transformer_layer(shipped_model("mixtral-8x7b"), plan);
}
Plan over(int ranks) { return {.data_parallel_size = ranks, .expert_parallel_size = ranks}; }
Traffic exchanged(const PassWork& pass) {
  return traffic(pass, Group::Expert, CollectiveKind::AllToAll);
}

}  // namespace

TEST_CASE("on two levels each token is sent once, and says how it was routed") {
  Plan plan = over(8);
  plan.expert_dispatch = ExpertDispatch::DeepEp;
  const LayerWork layer = mixtral_layer(plan);
  for (const PassWork* pass : {&layer.forward, &layer.backward}) {
    CHECK(exchanged(*pass).count == 2);
    CHECK(exchanged(*pass).bytes == 2 * 2 * experts_stream);
    for (const Exchange& each : pass->exchanges) CHECK(each.routing == TokenRouting{8, 2, 1, 1});
  }
  // The exchange returns sums, so the answers of each expert are not kept for the router.
  CHECK(mixtral_layer(over(8)).activations.base() - layer.activations.base() ==
        2 * 2 * experts_stream);
}

TEST_CASE("in 8 bits tokens and gradients travel to experts, and answers in 16 bits") {
  Plan plan = over(8);
  plan.fp8_dispatch = true;
  const double routed = 2 * experts_stream;
  for (const PassWork& pass : {mixtral_layer(plan).forward, mixtral_layer(plan).backward})
    CHECK_THAT(exchanged(pass).bytes, WithinRel((1 + 4.0 / 128 + 2) * routed, 1e-12));
}

TEST_CASE("all to all, a rank of several experts puts tokens in their order") {
  const auto moved = [](Plan plan) { return moved_bytes(mixtral_layer(plan).forward); };
  const double sorted = 2 * 2 * (2 * experts_stream);  // read and written, 16 bits, two copies
  CHECK_THAT(moved(over(4)) - moved(over(8)), WithinRel(2 * sorted, 1e-9));  // and back
  Plan plan = over(4);
  plan.expert_dispatch = ExpertDispatch::DeepEp;
  CHECK(moved(plan) == moved(over(8)));
}

TEST_CASE("the busiest rank computes and keeps more, as far as ranks share out experts") {
  const auto layer = [](double imbalance, const Plan& plan) {
    Model model = shipped_model("mixtral-8x7b");
    for (ModelPart& part : model.parts)
      if (auto* layers = std::get_if<TransformerLayers>(&part.shape))
        layers->expert_imbalance = imbalance;
    return transformer_layer(model, plan);
  };
  const auto in_experts = [](const LayerWork& work) {
    double sum = 0;
    for (const Kernel& kernel : work.forward.kernels)
      if (kernel.is_routed && kernel.k == 4096 && kernel.n > 8) sum += kernel.flops().base();
    return sum;
  };
  const LayerWork even = layer(1, over(4)), uneven = layer(1.5, over(4));
  CHECK_THAT(in_experts(uneven) / in_experts(even), WithinRel(1.5, 1e-12));
  CHECK_THAT(exchanged(uneven.forward).bytes / exchanged(even.forward).bytes,
             WithinRel(1.5, 1e-12));
  CHECK(uneven.activations > even.activations);
  CHECK(gigaflop(layer(1.5, Plan{}).forward) == gigaflop(layer(1, Plan{}).forward));
}

TEST_CASE("latent attention may make queries, keys and values again") {
  const Model model = shipped_model("deepseek-v3");
  const LayerWork kept = transformer_layer(model, Plan{});
  const LayerWork again =
      transformer_layer(model, {.recompute = Recompute::Selective,
                                .recompute_modules = {RecomputeModule::LatentUpProjection}});
  // Queries and keys of 128 heads of 192, and values of 128, in 16 bits.
  CHECK(kept.activations.base() - again.activations.base() == 2 * 4096.0 * 128 * (192 + 192 + 128));
  // Products from 1536 to queries, and from 512 to keys of 128 and values.
  CHECK_THAT(gigaflop(again.recompute),
             WithinRel(2e-9 * 4096 * 128 * (1536 * 192 + 512 * (128 + 128)), 1e-12));
  // Rotary positions of 64 in each head's query and in a row that all keys share, and keys put
  // together, are read and written.
  CHECK(moved_bytes(again.recompute) == 2 * 2 * 4096.0 * (128 * 64 + 64 + 128 * 192));
  CHECK(kept.recompute.kernels.empty());
}

TEST_CASE("narrow rows of latent attention are kept before and after their norm") {
  Model model = shipped_model("deepseek-v3");
  const Bytes kept = transformer_layer(model, Plan{}).activations;
  for (ModelPart& part : model.parts)
    if (auto* layers = std::get_if<TransformerLayers>(&part.shape))
      layers->latent->query_rank += 64;
  const Bytes wider = transformer_layer(model, Plan{}).activations;
  CHECK((wider - kept).base() == 2 * 2 * 4096.0 * 64);  // 16 bits, twice
}

// github.com/deepseek-ai/DeepSeek-V3, README_WEIGHTS.md: a layer with its experts, a product of 2 h
// x h and two norms; the model's embedding and head are shared.
TEST_CASE("multi-token prediction is a layer, what joins it, and a second pass of the head") {
  const Model model = shipped_model("deepseek-v3");
  const Model without = without_further_predictions(model);
  const double h = 7168;
  const double attention = h * 1536 + 1536 * 128 * 192 + h * (512 + 64) + 512 * 128 * (128 + 128) +
                           128 * 128 * h + 1536 + 512;
  const double experts = 257 * 3 * h * 2048 + 256 * h;
  CHECK_THAT(parameters(model) - parameters(without),
             WithinRel(attention + experts + 2 * h + 2 * h * h + 2 * h, 1e-12));
  const auto layers = layer_work(model, Plan{}), fewer = layer_work(without, Plan{});
  CHECK(launches(layers.back().forward) == 2 * launches(fewer.back().forward));
  CHECK(gigaflop(layers.back().backward) == 2 * gigaflop(fewer.back().backward));
  CHECK(layers.back().parameters == fewer.back().parameters);
  const LayerWork further = *find_layer(layers, "multi-token prediction");
  const LayerWork typical = *find_layer(layers, "transformer");
  CHECK(further.count == 1);
  CHECK_THAT(gigaflop(further.forward) - gigaflop(typical.forward),
             WithinRel(2e-9 * 4096 * 2 * h * h, 1e-6));
  CHECK_THAT(gigaflop(further.backward) - gigaflop(typical.backward),
             WithinRel(4e-9 * 4096 * 2 * h * h, 1e-6));
}

TEST_CASE("an expert's token is kept as it came, as it went through and as it left") {
  Model model = shipped_model("mixtral-8x7b");
  const auto kept = [&] { return transformer_layer(model, over(8)).activations.base(); };
  const double of_two = kept();
  auto& layers = std::get<TransformerLayers>(model.parts[1].shape);
  layers.experts_per_token = 3;
  const double inner = 3 * 14336.0;  // gate, up and their product
  const double per_token = (kept() - of_two) / 32768;
  // The routing adds a few bytes.
  CHECK_THAT(per_token, WithinRel(2 * (4096 + inner + 4096), 1e-3));
  CHECK(per_token >= 2 * (4096 + inner + 4096));
}

TEST_CASE("adapters of experts keep what came to them, those behind them what leaves the gates") {
  using enum LoraTarget;
  const auto kept = [](LoraTarget target) {
    const Model mixture =
        fine_tuned(shipped_model("mixtral-8x7b"), {.lora_rank = 8, .lora_targets = {target}});
    return transformer_layer(mixture, over(8)).activations.base();
  };
  const double routed = 2 * 32768.0;
  CHECK(kept(Down) - kept(Up) == 2 * routed * (14336 - 4096));
}
