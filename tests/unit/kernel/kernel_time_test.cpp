#include "sim/kernel/kernel_time.hpp"

#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/kernel/toy_profile.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

/// A chip of 100 TFLOP/s and 1,000 GB/s with 100 multiprocessors, of which the toy profile reaches
/// half.
Accelerator toy_accelerator() {
  Accelerator toy = toy_machine().accelerator;
  toy.multiprocessors = {100, "made up"};
  return toy;
}

double microseconds(const Kernel& kernel, Precision precision = Precision::Bf16,
                    const Accelerator& accelerator = toy_accelerator()) {
  return kernel_time(kernel, pass_precision(precision, false), accelerator, toy_profile()).base() *
         1e6;
}

}  // namespace

TEST_CASE("a product that fills its waves takes its FLOPs and its epilogue") {
  // 100 tiles of 128 x 256: 2 x 1280 x 2560 x 1000 FLOP at 50 TFLOP/s take 131.072 us. C is written
  // once, 6.5536 MB at 500 GB/s: 13.1072 us. The start takes 1 us.
  CHECK_THAT(microseconds({.m = 1280, .n = 2560, .k = 1000}), WithinRel(145.1792, 1e-12));
  // C costs four times that if it is read, added to and written in fp32.
  CHECK_THAT(microseconds({.m = 1280, .n = 2560, .k = 1000, .written = 8}),
             WithinRel(1 + 131.072 + 4 * 13.1072, 1e-12));
  CHECK_THAT(microseconds({.m = 1280, .n = 2560, .k = 1000, .count = 3}),
             WithinRel(3 * 145.1792, 1e-12));
}

TEST_CASE("one row more costs a wave, of the tile that loses least") {
  // 11 x 10 tiles of 128 x 256 are two waves, 288.4 us. 11 x 20 tiles of 128 x 128 are three waves
  // of half the size that reuse 3/4 as much: 4,915,200 elements of 40 / 0.75 + 4 ps.
  CHECK_THAT(microseconds({.m = 1281, .n = 2560, .k = 1000}), WithinRel(1 + 281.8048, 1e-6));
}

TEST_CASE("without a count of multiprocessors waves are not quantised, tiles are") {
  const Accelerator unknown = toy_machine().accelerator;
  // 110 tiles, although 100 would hold the rows.
  CHECK_THAT(microseconds({.m = 1281, .n = 2560, .k = 1000}, Precision::Bf16, unknown),
             WithinRel(1 + 1.1 * 144.1792, 1e-12));
}

TEST_CASE("products go with the best one measured on the accelerator") {
  Accelerator slow = toy_accelerator();
  slow.best_product = {40_TFLOPps, "made up"};  // the profile is of a chip that reaches 80
  CHECK_THAT(microseconds({.m = 1280, .n = 2560, .k = 1000}, Precision::Bf16, slow),
             WithinRel(1 + 2 * 131.072 + 13.1072, 1e-12));
}

TEST_CASE("a product takes its traffic at least") {
  // 100 products of 64 x 64 occupy the multiprocessors for 45.3 us, but their matrices, of 128,000
  // and 4,096 elements of two bytes, move 26.4192 MB at 500 GB/s.
  CHECK_THAT(microseconds({.m = 64, .n = 64, .k = 1000, .batch = 100}),
             WithinRel(1 + 52.8384, 1e-9));
  // Traffic that a layer states replaces the size of the matrices.
  CHECK_THAT(microseconds({.m = 64, .n = 64, .k = 1000, .batch = 100, .bytes = 2_GB}),
             WithinRel(1 + 4000.0, 1e-9));
}

TEST_CASE("a kernel without arithmetic takes its bytes") {
  CHECK_THAT(microseconds({.bytes = 5_MB, .count = 2}), WithinRel(2 * (1 + 10.0), 1e-12));
}

TEST_CASE("what is routed takes the mixture's factor longer, and its starts the launches'") {
  KernelProfile profile = toy_profile();
  profile.mixture_factor = {1.5, "made up"};
  profile.mixture_launches = {3, "made up"};
  const double start = profile.kernel_start.value.base();
  const auto time = [&](Kernel kernel, bool is_routed) {
    kernel.is_routed = is_routed;
    return kernel_time(kernel, pass_precision(Precision::Bf16, false), toy_accelerator(), profile);
  };
  for (const Kernel& kernel : {Kernel{.bytes = 5_MB}, Kernel{.m = 1280, .n = 2560, .k = 1000}})
    CHECK_THAT((time(kernel, true).base() - 3 * start) / (time(kernel, false).base() - start),
               WithinRel(1.5, 1e-12));
}

TEST_CASE("a kernel in a captured graph starts within 4 us") {
  KernelProfile profile = toy_profile();
  const auto seconds = [&](bool is_captured) {
    return kernel_time({.bytes = 5_MB}, pass_precision(Precision::Bf16, false), toy_accelerator(),
                       profile, is_captured)
        .base();
  };
  profile.kernel_start.value = 20_us;
  CHECK_THAT(seconds(false) - seconds(true), WithinRel(16e-6, 1e-9));
  profile.kernel_start.value = 3_us;
  CHECK(seconds(false) == seconds(true));
}

TEST_CASE("products run in the model's precision, attention in 16 bits at least") {
  const Kernel matmul{.m = 1280, .n = 2560, .k = 1000};
  Kernel attention = matmul;
  attention.arithmetic = Arithmetic::Attention;
  // fp8 halves the main loop but not the epilogue, less the share that H100 loses, because this
  // chip has no measured products.
  const double of_h100 = (1234 / 1978.9) / (758 / 989.4);
  CHECK_THAT(microseconds(matmul, Precision::Fp8),
             WithinRel(1 + 131.072 / 2 / of_h100 + 13.1072, 1e-12));
  CHECK_THAT(microseconds(attention, Precision::Fp8), WithinRel(145.1792, 1e-12));
}

// Conversion takes five bytes for each of the 1280 x 1000 input elements, at 500 GB/s: 12.8 us. The
// next kernel converts the 1280 x 2560 outputs.
TEST_CASE("what comes to a product in 8 bits is converted, what leaves it is not") {
  KernelProfile converting = toy_profile();
  converting.quantise_bytes = {5, "made up"};
  const auto conversion = [&](const Kernel& kernel, Precision precision) {
    const auto time = [&](const KernelProfile& by) {
      return kernel_time(kernel, pass_precision(precision, false), toy_accelerator(), by);
    };
    return (time(converting) - time(toy_profile())).base() * 1e6;
  };
  const Kernel product{.m = 1280, .n = 2560, .k = 1000};
  CHECK_THAT(conversion(product, Precision::Fp8), WithinRel(12.8, 1e-9));
  CHECK_THAT(conversion({.m = 1280, .n = 2560, .k = 1000, .batch = 3}, Precision::Fp8),
             WithinRel(3 * 12.8, 1e-9));
  CHECK(conversion(product, Precision::Bf16) == 0);
  // Both operands of a weight gradient are already converted for the other products.
  CHECK(conversion({.m = 1280, .n = 2560, .k = 1000, .is_weight_gradient = true}, Precision::Fp8) ==
        0);
}

TEST_CASE("products of a scan stay in 16 bits where attention goes to 8") {
  const auto time_in = [](Precision precision, bool is_scan) {
    return kernel_time({.m = 1280, .n = 2560, .k = 1000, .is_scan = is_scan},
                       pass_precision(precision, true), toy_accelerator(), toy_profile());
  };
  CHECK(time_in(Precision::Fp8, true) == time_in(Precision::Bf16, false));
  CHECK(time_in(Precision::Fp8, false) < time_in(Precision::Bf16, false));
}

TEST_CASE("fused attention takes the longer of its products and its bytes") {
  Kernel fused{.m = 1000, .n = 100, .k = 5000, .batch = 10, .bytes = 5_MB};
  fused.arithmetic = Arithmetic::Attention;
  // 10 GFLOP at a quarter of 100 TFLOP/s take 400 us, and twice that with 1,000 queries, which
  // reach half the rate of long samples. 5 MB take 10 us.
  CHECK_THAT(microseconds(fused), WithinRel(801.0, 1e-12));
  fused.bytes = 500_MB;
  CHECK_THAT(microseconds(fused), WithinRel(1001.0, 1e-12));
}

TEST_CASE("rows that are no multiple of 16 bytes slow any product down, of 128 a linear layer") {
  KernelProfile profile = toy_profile();
  profile.misaligned_factor.value = 1.25;
  profile.unaligned_factor.value = 4;
  profile.unaligned_heads_factor.value = 7;
  const auto factor = [&](const Kernel& kernel) {
    const auto time = [&](const KernelProfile& by) {
      return kernel_time(kernel, pass_precision(Precision::Bf16, false), toy_accelerator(), by) -
             by.kernel_start.value;
    };
    return time(profile) / time(toy_profile());
  };
  const auto linear = [&](double outputs, double inputs) {
    return factor({.m = 1280, .n = outputs, .k = inputs});
  };
  CHECK(linear(2560, 1024) == 1);
  CHECK_THAT(linear(2560 + 8, 1024), WithinRel(1.25, 1e-12));
  CHECK_THAT(linear(2560, 1000), WithinRel(1.25, 1e-12));
  CHECK_THAT(linear(2560 + 1, 1024), WithinRel(4.0, 1e-12));
  CHECK_THAT(linear(2560, 1001), WithinRel(4.0, 1e-12));
  // A weight gradient reduces over tokens, whose rows no kernel loads.
  CHECK(factor({.m = 1280, .n = 2560, .k = 1001, .is_weight_gradient = true}) == 1);
  const auto heads = [&](double size) {
    return factor(
        {.m = 2048, .n = 2048, .k = size, .batch = 64, .arithmetic = Arithmetic::Attention});
  };
  CHECK(heads(80) == 1);
  CHECK_THAT(heads(108), WithinRel(7.0, 1e-12));
}

TEST_CASE("products go with what their chip's architecture makes of datasheets") {
  KernelProfile profile = toy_profile();
  profile.product_factors[static_cast<std::size_t>(Architecture::Hopper)] = 0.5;
  const Kernel kernel{.m = 1280, .n = 2560, .k = 1000};
  Accelerator hopper = toy_accelerator();
  hopper.architecture = Architecture::Hopper;
  const PassPrecision bf16 = pass_precision(Precision::Bf16, false);
  CHECK_THAT(kernel_time(kernel, bf16, hopper, profile).base() * 1e6,
             WithinRel(1 + 2 * 131.072 + 13.1072, 1e-12));
  CHECK_THAT(kernel_time(kernel, bf16, toy_accelerator(), profile).base() * 1e6,
             WithinRel(145.1792, 1e-12));
}

TEST_CASE("under a site's power limit arithmetic is slower, and memory is not") {
  Accelerator limited = toy_accelerator();
  limited.power = {1000_W, "made up"};
  limited.power_limit = {250_W, "made up"};  // half the rate
  CHECK_THAT(microseconds({.m = 1280, .n = 2560, .k = 1000}, Precision::Bf16, limited),
             WithinRel(1 + 2 * 131.072 + 13.1072, 1e-12));
  const Kernel fused{.m = 4096,
                     .n = 4096,
                     .k = 128,
                     .batch = 32,
                     .bytes = 1_MB,
                     .arithmetic = Arithmetic::Attention};
  CHECK_THAT(microseconds(fused, Precision::Bf16, limited) - 1,
             WithinRel(2 * (microseconds(fused) - 1), 1e-9));
  const Kernel moved{.bytes = 1_GB};
  CHECK(microseconds(moved, Precision::Bf16, limited) == microseconds(moved));
}
