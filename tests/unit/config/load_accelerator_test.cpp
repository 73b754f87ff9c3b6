#include "sim/config/load.hpp"
#include "sim/core/file.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::filesystem::path accelerators =
    std::filesystem::path(TOFN_SOURCE_DIR) / "configs/accelerators";

}  // namespace

TEST_CASE("an accelerator file is read in base units, with its sources") {
  const Accelerator h100 = load_accelerator(accelerators / "h100-sxm.yaml");
  CHECK(h100.name == "H100 SXM");
  CHECK(h100.vendor == "NVIDIA");
  CHECK(h100.memory.value.base() == 81559.0 * 1024 * 1024);
  CHECK_THAT(h100.memory.source, ContainsText("eos_n8"));
  CHECK(h100.memory_bandwidth.value.base() == 3.35e12);
  CHECK(h100.scale_up_bandwidth.value.base() == 450e9);
  CHECK(h100.scale_up_domain_accelerators.value == 8);
  CHECK(h100.host_link.value.base() == 63e9);
  CHECK(h100.power.value == 700_W);
  REQUIRE(h100.multiprocessors.has_value());
  CHECK(h100.multiprocessors->value == 132);
  CHECK_THAT(h100.multiprocessors->source, ContainsText("whitepaper"));
  CHECK_FALSE(load_accelerator(accelerators / "tpu-v5p.yaml").multiprocessors.has_value());
}

TEST_CASE("peaks land at their precision, and one that a chip lacks stays absent") {
  const Accelerator h100 = load_accelerator(accelerators / "h100-sxm.yaml");
  const auto peak = [&](Precision precision) {
    return h100.peak[static_cast<std::size_t>(precision)];
  };
  CHECK_THAT(peak(Precision::Fp32).value().value.base(), WithinRel(66.9e12, 1e-6));
  CHECK_THAT(peak(Precision::Bf16).value().value.base(), WithinRel(989.4e12, 1e-6));
  CHECK_THAT(peak(Precision::Fp8).value().value.base(), WithinRel(1978.9e12, 1e-6));
  CHECK_FALSE(peak(Precision::Fp4).has_value());
}

TEST_CASE("every accelerator file that ships is read") {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(accelerators)) {
    INFO(entry.path());
    CHECK_FALSE(load_accelerator(entry.path()).name.empty());
    ++files;
  }
  CHECK(files > 10);
}

TEST_CASE("every accelerator that ships states its architecture, and one die has one") {
  std::map<std::string, Architecture> of_die;
  for (const auto& file : std::filesystem::directory_iterator(accelerators)) {
    INFO(file.path().string());
    CHECK_THAT(read_text_file(file.path()), ContainsText("\narchitecture: "));
    const Accelerator accelerator = load_accelerator(file.path());
    const auto [known, is_new] = of_die.emplace(accelerator.own_die(), accelerator.architecture);
    CHECK((is_new || known->second == accelerator.architecture));
  }
}
