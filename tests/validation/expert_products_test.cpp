#include <array>
#include <cmath>

#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/kernel/kernel_time.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

// Compares products of experts, by the tokens of each, with measured kernels. No constant was taken
// from them.
using namespace tofn;
using namespace tofn::test;

namespace {

constexpr PassPrecision in_8_bits{Precision::Fp8, Precision::Bf16};

double expert_milliseconds(const Kernel& kernel, const char* cluster, bool converts = true) {
  static Library library = Library::load(configs);
  KernelProfile profile = find_kernel_profile(configs, "unknown");
  if (!converts) profile.quantise_bytes = {};
  const Accelerator accelerator = library.cluster(cluster).accelerator;
  return 1e3 * kernel_time(kernel, in_8_bits, accelerator, profile).base();
}

/// Milliseconds of DeepSeek-V3's routed experts forward: 8 of 256 a token, 7168 wide, 2048 inside,
/// balanced.
double layer_milliseconds(double tokens, double expert_parallel, const char* cluster) {
  const double experts = 256 / expert_parallel;
  const double rows = tokens * 8 / 256;
  const Kernel up{.m = rows, .n = 2 * 2048, .k = 7168, .batch = experts};
  const Kernel down{.m = rows, .n = 7168, .k = 2048, .batch = experts};
  const Kernel activation{.bytes = Bytes{3 * 2 * rows * experts * 2048}};
  return expert_milliseconds(up, cluster) + expert_milliseconds(activation, cluster) +
         expert_milliseconds(down, cluster);
}

}  // namespace

// ai-dynamo/aiconfigurator@095f58a, systems/data/{b200_sxm,gb200}/moe/trtllm/1.3.0rc20, DeepGEMM's
// kernels with scales of blocks.
TEST_CASE("layers of experts take what was measured on B200 and GB200") {
  struct Row {
    double tokens, expert_parallel, b200, gb200;
  };
  constexpr std::array rows{
      Row{1024, 1, 2.0294, 1.9517},  Row{4096, 1, 2.3672, 2.2693},  Row{16384, 1, 5.898, 5.4057},
      Row{1024, 8, 0.2904, 0.2767},  Row{4096, 8, 0.3561, 0.3399},  Row{16384, 8, 0.8547, 0.8176},
      Row{1024, 32, 0.1077, 0.1015}, Row{4096, 32, 0.1422, 0.1360}, Row{16384, 32, 0.3053, 0.2963}};
  double sum = 0;
  for (const Row& row : rows) {
    INFO(row.tokens << " tokens, EP " << row.expert_parallel);
    const double b200 = layer_milliseconds(row.tokens, row.expert_parallel, "dgx-b200") / row.b200;
    const double gb200 =
        layer_milliseconds(row.tokens, row.expert_parallel, "gb200-nvl72") / row.gb200;
    CHECK_THAT(b200, WithinRel(1.0, 0.35));
    CHECK_THAT(gb200, WithinRel(1.0, 0.35));
    sum += std::abs(b200 - 1) + std::abs(gb200 - 1);
  }
  CHECK(sum / (2 * rows.size()) < 0.15);
}

// deepseek-ai/DeepGEMM@327ec92, README.md: H800, TFLOP/s of grouped products with operands in 8
// bits.
TEST_CASE("grouped products of H800 are slower where experts have few tokens") {
  const auto teraflops = [](double groups, double rows, double outputs, double inputs) {
    const Kernel kernel{.m = rows, .n = outputs, .k = inputs, .batch = groups};
    return kernel.flops().base() / 1e9 / expert_milliseconds(kernel, "deepseek-h800", false);
  };
  CHECK_THAT(teraflops(4, 8192, 4096, 7168), WithinRel(1346.0, 0.25));
  CHECK_THAT(teraflops(4, 8192, 7168, 2048), WithinRel(1214.0, 0.25));
  CHECK_THAT(teraflops(8, 4096, 4096, 7168), WithinRel(1346.0, 0.25));
  CHECK_THAT(teraflops(2, 512, 4096, 7168), WithinRel(1040.0, 0.35));
  CHECK_THAT(teraflops(4, 256, 4096, 7168), WithinRel(932.0, 0.35));
}
