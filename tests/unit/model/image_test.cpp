#include "tests/catch.hpp"
#include "tests/unit/model/models.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// A 3x3 convolution with stride 2 from 64 channels at 32x32 to 128 at 16x16, four samples.
LayerWork work_of(Convolution convolution, Recompute recompute = Recompute::None) {
  const Model model{.name = "m", .parts = {{"c", convolution}}};
  return layer_work(model, {.micro_batch = 4, .recompute = recompute}).at(0);
}
Convolution strided() {
  return {.inputs = 64, .outputs = 128, .kernel = 3, .stride = 2, .height = 16, .width = 16};
}
constexpr double inputs = 4 * 64 * 32 * 32.0;
constexpr double outputs = 4 * 128 * 16 * 16.0;
constexpr double weights = 9 * 64 * 128.0;

}  // namespace

TEST_CASE("a convolution is three products of one size") {
  const LayerWork work = work_of(strided());
  const double flops = 2 * 4 * 16 * 16 * weights;
  CHECK(gigaflop(work.forward) * 1e9 == flops);
  CHECK(gigaflop(work.backward) * 1e9 == 2 * flops);
  CHECK(work.parameters == weights + 2 * 128);
  const Kernel forward = work.forward.kernels.front();
  CHECK(forward.m == 4 * 16 * 16);
  CHECK(forward.n == 128);
  CHECK(forward.k == 9 * 64);
  CHECK(forward.bytes.base() == 2 * (inputs + outputs + weights));
  // Each position of the input uses a quarter of the weights.
  const Kernel back = *std::find_if(work.backward.kernels.begin(), work.backward.kernels.end(),
                                    [](const Kernel& each) { return each.n == 64; });
  CHECK(back.m == 4 * 32 * 32);
  CHECK(back.k == 9 * 128 / 4.0);
}

TEST_CASE("groups divide weights and work") {
  Convolution grouped = strided();
  grouped.groups = 32;
  CHECK(work_of(grouped).parameters == weights / 32 + 2 * 128);
  CHECK_THAT(gigaflop(work_of(grouped).forward),
             WithinRel(gigaflop(work_of(strided()).forward) / 32, 1e-12));
  CHECK(work_of(grouped).forward.kernels.front().batch == 32);
}

TEST_CASE("a convolution keeps its input and what its norm saw") {
  CHECK(work_of(strided()).activations.base() == 2 * (inputs + outputs));
  CHECK(work_of(strided(), Recompute::Full).activations.base() == 2 * inputs);
  Convolution plain = strided();
  plain.norm = false;
  CHECK(work_of(plain).activations.base() == 2 * inputs);
  CHECK(work_of(strided()).boundary.base() == 2 * outputs);
  const Convolution dense{.inputs = 64, .outputs = 64, .kernel = 3, .height = 32, .width = 32};
  CHECK(work_of(dense, Recompute::Full).activations == work_of(dense).boundary);  // stride 1
}

TEST_CASE("norm and activation pass over their side of the convolution") {
  CHECK(moved_bytes(work_of(strided()).forward) == 6 * outputs);
  CHECK(moved_bytes(work_of(strided()).backward) == 10 * outputs);
  Convolution first = strided();
  first.norm_first = true;
  CHECK(moved_bytes(work_of(first).forward) == 6 * inputs);
  CHECK(work_of(first).parameters == weights + 2 * 64);
}

TEST_CASE("what is frozen has no gradient of weights; below all that trains there is no backward") {
  Convolution frozen = strided();
  frozen.frozen = true;
  CHECK(gigaflop(work_of(frozen).backward) == gigaflop(work_of(strided()).forward));
  CHECK(work_of(frozen).trainable == 0);
  frozen.input_gradient = false;
  CHECK(work_of(frozen).backward.kernels.empty());
  CHECK(work_of(frozen).activations.base() == 0);
  Convolution first = strided();
  first.input_gradient = false;
  CHECK(gigaflop(work_of(first).backward) == gigaflop(work_of(strided()).forward));
}

TEST_CASE("shared weights are counted once, their work each time") {
  Convolution again = strided();
  again.shared = true;
  CHECK(work_of(again).parameters == 0);
  CHECK(gigaflop(work_of(again).backward) == gigaflop(work_of(strided()).backward));
}

TEST_CASE("a U-Net block has the weights and products of the published one") {
  const ImageTransformer shape{
      .channels = 320, .heads = 5, .positions = 4096, .text_positions = 77, .text_channels = 1024};
  const Model model{.name = "m", .parts = {{"t", shape}}};
  const LayerWork work = layer_work(model, Plan{}).at(0);
  CHECK(work.parameters == 2'710'080);  // as counted in the published checkpoint's shapes
  CHECK_THAT(gigaflop(work.forward), WithinRel(16.87814 + 21.87854, 1e-6));
  double again = 0;
  for (const Kernel& kernel : work.backward.kernels)
    again += (kernel.flops() * (1 - kernel.repeated)).base() / 1e9;
  CHECK_THAT(again, WithinRel(33.65536 + 43.75708, 1e-6));
}

TEST_CASE("a U-Net block keeps the inputs of its norms and products, counted by hand") {
  const ImageTransformer shape{
      .channels = 320, .heads = 5, .positions = 4096, .text_positions = 77, .text_channels = 1024};
  const Model model{.name = "m", .parts = {{"t", shape}}};
  const LayerWork work = layer_work(model, Plan{.recompute = Recompute::Selective}).at(0);
  // In images of 4096 x 320 elements: four norms twice, seven of the attentions, and of the MLP
  // gate, up and their product, four each. Of the text, keys and values and what they are made
  // from.
  const double elements = (8 + 7 + 3 * 4) * 4096.0 * 320 + 77 * (2 * 320 + 1024);
  CHECK_THAT(work.activations.base(), WithinRel(2 * elements, 1e-12));
}
