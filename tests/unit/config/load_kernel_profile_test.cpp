#include "sim/config/load_kernel_profile.hpp"

#include "sim/kernel/stack_figures.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {}  // namespace

TEST_CASE("a kernel profile is read with its sources, by name or path") {
  const KernelProfile named = find_kernel_profile(configs, "megatron");
  CHECK(named.name == "megatron");
  CHECK_THAT(named.gemm_efficiency.source, ContainsText("2205.05198"));
  CHECK(named.memory_efficiency.is_assumed());
  CHECK(named.kernel_start.value == Seconds{4e-6});
  CHECK(named.gradient_bucket.value == Bytes{160e6});
  const std::string path = (configs / "stacks/megatron.yaml").string();
  CHECK(find_kernel_profile(configs, path).gemm_efficiency.value == named.gemm_efficiency.value);
}

TEST_CASE("a stack that is like another states what differs") {
  const KernelProfile nemo = find_kernel_profile(configs, "nemo");
  const KernelProfile unknown = find_kernel_profile(configs, "unknown");
  CHECK(nemo.optimizer_bytes.value == unknown.optimizer_bytes.value);
  CHECK(nemo.gemm_efficiency.value != unknown.gemm_efficiency.value);
  CHECK(nemo.framework_defaults.tensor_overlap == true);
  CHECK_FALSE(nemo.framework_defaults.fused_attention.has_value());
  CHECK(nemo.framework_defaults.keeps_layer_gradients == true);
  const StackDefaults nanotron = find_kernel_profile(configs, "nanotron").framework_defaults;
  CHECK(nanotron.reported_memory == MemoryReading::Allocated);
  CHECK(nanotron.loss_bytes == 14);
  CHECK_FALSE(nanotron.gradients_grow.has_value());
  const KernelProfile pytorch = find_kernel_profile(configs, "pytorch");
  CHECK(pytorch.framework_defaults.gradients_grow == true);
  CHECK(pytorch.measured_on == 1);
  CHECK(nemo.measured_on == 0);
  CHECK(nemo.uncertainty.covariance.size() == stack_figures.size() * stack_figures.size());
  CHECK(nemo.uncertainty.discrepancy.model > nemo.uncertainty.discrepancy.run);
}

TEST_CASE("rows of tables of steps find the stack with the longest pattern that matches") {
  const auto stacks = load_stacks(configs);
  CHECK(stack_of_table(stacks, "megatron-lm", "B200", "")->name == "megatron-core");
  CHECK(stack_of_table(stacks, "megatron-lm", "A100-80GB", "")->name == "megatron-2021");
  CHECK(stack_of_table(stacks, "nemo", "H100-80GB", "")->name == "nemo");
  const std::string of_2024 = "[B] NVIDIA/NeMo@f78d986 docs/performance_summary.md 24.07";
  CHECK(stack_of_table(stacks, "nemo", "H100-80GB", of_2024)->name == "nemo-2024");
  CHECK(stack_of_table(stacks, "nemo", "B200", of_2024)->name == "nemo");
  CHECK(stack_of_table(stacks, "somebody", "H100-80GB", "") == nullptr);
}

TEST_CASE("what was learnt is written below the line that says so") {
  KernelProfile nemo = find_kernel_profile(configs, "nemo");
  nemo.gemm_efficiency.value = 0.4321;
  const std::string text = relearned_text(configs / "stacks/nemo.yaml", nemo);
  CHECK_THAT(text, ContainsText("\ngemm_efficiency: 0.4321 [steps]\n"));
  CHECK_THAT(text, ContainsText("tables: ['nemo/*']\n"));
  CHECK_THAT(refusal([&] { relearned_text(configs / "stacks/megatron.yaml", nemo); }),
             ContainsText("has no line `# Learnt"));
}

TEST_CASE("an unknown kernel profile is refused with the known ones") {
  CHECK(refusal([] { find_kernel_profile(configs, "megatorn"); }) ==
        "unknown stack 'megatorn', did you mean 'megatron', 'megatron-2021' or 'megatron-2022'? "
        "All 20: `tofn list stacks`");
}

TEST_CASE(
    "a stack states the makers of the chips that it was measured on, and a like one its own") {
  using Vendors = std::vector<std::string>;
  CHECK(find_kernel_profile(configs, "nemo").vendors == Vendors{"NVIDIA"});
  CHECK(find_kernel_profile(configs, "jax").vendors == Vendors{"NVIDIA", "Google"});
  CHECK(find_kernel_profile(configs, "unknown").vendors.empty());
}
