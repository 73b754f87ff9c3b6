#include "sim/config/workload_layers.hpp"

#include "sim/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/unit/simulation/toy_model.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

/// Use of a model with two samples in each sequence, which attend only to themselves.
constexpr ModelUse packed{.samples_per_sequence = 2, .attention_share = 0.5};

/// Model of four layers of 1024, with 16 heads of 64 and 512 tokens that attend to those before.
Model fused_model() {
  Model model = toy_model();
  std::get<TransformerLayers>(model.parts[1].shape).fused_attention = true;
  return model;
}

Layer layer_of(const Model& model, const ModelUse& use) {
  for (const Layer& each : workload_layers(model, use))
    if (each.name == "layer") return each;
  throw InputError("no layer");
}

}  // namespace

// Products of 512 tokens with 12 x 1024^2 weights take 2 x 512 x 12 x 1024^2 = 12.885 GFLOP. Scores
// and their product with the values, half of them masked, take 2 x 2 x 512^2 x 1024 / 2 = 0.537
// GFLOP.
TEST_CASE("a workload's layer, by hand") {
  const double products = 2.0 * 512 * 12 * 1024 * 1024;
  const double attention = 2.0 * 512 * 512 * 1024;
  const Layer whole = layer_of(fused_model(), {});
  CHECK(whole.count == 4);
  CHECK_THAT(whole.forward.value.base(), WithinRel(products, 1e-12));
  CHECK_THAT(whole.attention_forward.base(), WithinRel(attention, 1e-12));
  // Gradients of inputs and of weights; scores that attention recomputes are not the model's work.
  CHECK_THAT(whole.backward.value.base(), WithinRel(2 * products, 1e-12));
  CHECK_THAT(whole.attention_backward.base(), WithinRel(2 * attention, 1e-12));
  // Queries, keys and values; attention; projection; up; down. Backward has two for each product.
  CHECK(whole.forward_operators == 5);
  CHECK(whole.backward_operators == 9);

  const Layer half = layer_of(fused_model(), packed);
  CHECK_THAT(half.forward.value.base(), WithinRel(products / 2, 1e-12));
  CHECK_THAT(half.backward.value.base(), WithinRel(products, 1e-12));
  CHECK_THAT(half.attention_forward.base(), WithinRel(attention / 4, 1e-12));
  CHECK_THAT(half.attention_backward.base(), WithinRel(attention / 2, 1e-12));
  CHECK(half.forward_operators == 5);
}

TEST_CASE("a workload's products are those of one sample") {
  const std::vector<Gemm> gemms = layer_of(fused_model(), packed).gemms;
  REQUIRE(gemms.size() == 4);
  const std::pair<int, int> sizes[] = {{1024, 3072}, {1024, 1024}, {1024, 4096}, {4096, 1024}};
  for (std::size_t i = 0; i < gemms.size(); ++i) {
    CHECK(gemms[i].rows == 256);
    CHECK(gemms[i].inputs == sizes[i].first);
    CHECK(gemms[i].outputs == sizes[i].second);
    CHECK(gemms[i].count == 1);
  }
}

// Payload of 512 x 1024 activations in 16 bits, of half a sequence: 512 KiB.
TEST_CASE("tensor-parallel ranks gather and scatter around attention and around the MLP") {
  const TensorParallelTraffic traffic = tensor_traffic(fused_model(), packed);
  CHECK(traffic.layers.value == 4);
  CHECK(traffic.forward_collectives.value == 4);
  // The backward pass gathers both inputs once more, for the gradients of the weights.
  CHECK(traffic.backward_collectives.value == 6);
  CHECK_THAT(traffic.payload.value.base(), WithinRel(512.0 * 1024, 1e-12));
}

// Keys and values of 2 x 512 x 1024 in 16 bits are 1 MiB for one sample over all ranks.
TEST_CASE("context-parallel ranks pass on keys and values") {
  const ContextParallelTraffic traffic = context_traffic(fused_model(), packed);
  CHECK(traffic.layers.value == 4);
  CHECK_THAT(traffic.payload.value.base(), WithinRel(1024.0 * 1024, 1e-12));
}
