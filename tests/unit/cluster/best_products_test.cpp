#include "sim/cluster/best_products.hpp"

#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

std::vector<std::string_view> keys(const Accelerator& chip, Precision peak) {
  std::vector<std::string_view> found;
  for (const BestProduct& each : best_products_of_peak(chip, peak)) found.push_back(each.key);
  return found;
}

}  // namespace

TEST_CASE("measured products are shares of the peak that they are computed at") {
  using Keys = std::vector<std::string_view>;
  Accelerator chip = toy_machine().accelerator;
  CHECK(keys(chip, Precision::Bf16).empty());  // nothing is measured
  chip.best_product = {80_TFLOPps, "made up"};
  chip.best_fp8_product = {150_TFLOPps, "made up"};
  CHECK(keys(chip, Precision::Bf16) == Keys{"best_product"});
  CHECK(keys(chip, Precision::Fp8) == Keys{"best_fp8_product"});
  CHECK(keys(chip, Precision::Fp16).empty());
  // A chip without bf16 computes in fp16.
  auto& bf16 = chip.peak[static_cast<std::size_t>(Precision::Bf16)];
  chip.peak[static_cast<std::size_t>(Precision::Fp16)] = bf16;
  bf16.reset();
  CHECK(keys(chip, Precision::Fp16) == Keys{"best_product"});
}
