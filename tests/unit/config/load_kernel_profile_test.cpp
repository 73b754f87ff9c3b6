#include "sim/config/load_kernel_profile.hpp"

#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::filesystem::path configs = TOFN_SOURCE_DIR "/configs";

}  // namespace

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

TEST_CASE("an unknown kernel profile is refused with the known ones") {
  CHECK(refusal([] { find_kernel_profile(configs, "megatorn"); }) ==
        "unknown kernel profile 'megatorn', did you mean 'megatron'? valid kernel profiles: "
        "megatron, nemo");
}
