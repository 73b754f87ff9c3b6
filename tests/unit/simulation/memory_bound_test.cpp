#include "sim/simulation/simulated_step.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/kernel/toy_profile.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

// A kernel of 131.072 us of arithmetic, 13.1072 us of writing and 1 us of start (kernel_time_test).
const Kernel product{.m = 1280, .n = 2560, .k = 1000};
// A kernel that moves 100 MB at 500 GB/s, with 1 us of start.
const Kernel moving{.bytes = 100_MB};

LayerWork layer_with(SharedVector<Kernel> kernels) {
  LayerWork layer{.name = "layer", .place = StagePlace::Spread};
  layer.forward.kernels = std::move(kernels);
  return layer;
}

double share(const std::vector<LayerWork>& layers) {
  Accelerator accelerator = toy_machine().accelerator;
  accelerator.multiprocessors = {100, "made up"};
  return memory_bound_share(layers, pass_precision(Precision::Bf16, false), accelerator,
                            toy_profile());
}

}  // namespace

TEST_CASE("kernels that only move bytes are bound by memory, products by their arithmetic") {
  CHECK(share({}) == 0);
  CHECK(share({layer_with({product})}) == 0);
  CHECK(share({layer_with({moving})}) == 1);
  CHECK_THAT(share({layer_with({product, moving})}), WithinRel(201 / (201 + 145.1792), 1e-12));
}

TEST_CASE("a product whose matrices take longer to move than to multiply is bound by memory") {
  CHECK(share({layer_with({{.m = 64, .n = 64, .k = 64, .batch = 100000}})}) == 1);
}

TEST_CASE("layers count as often as there are of them, in every pass") {
  LayerWork twice = layer_with({product});
  twice.count = 2;
  LayerWork back = layer_with({});
  back.backward.kernels = {moving};
  CHECK_THAT(share({twice, back}), WithinRel(201 / (201 + 2 * 145.1792), 1e-12));
}

TEST_CASE("a product is bound by memory where writing what it made takes the longer part of it") {
  // With 50 or 200 products for each element, not 1000, arithmetic takes 6.5 or 26 us before the 13
  // of writing.
  CHECK(share({layer_with({{.m = 1280, .n = 2560, .k = 50}})}) == 1);
  CHECK(share({layer_with({{.m = 1280, .n = 2560, .k = 200}})}) == 0);
}
