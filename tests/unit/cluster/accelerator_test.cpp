#include "sim/cluster/accelerator.hpp"

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::literals;

namespace {

Accelerator with(std::initializer_list<std::pair<Precision, FlopsPerSecond>> peaks) {
  Accelerator made;
  for (const auto& [precision, rate] : peaks)
    made.peak[static_cast<std::size_t>(precision)] = {rate, "made up"};
  return made;
}

}  // namespace

TEST_CASE("a precision that the chip has runs at its own peak") {
  const Accelerator chip = with({{Precision::Fp32, 60_TFLOPps},
                                 {Precision::Bf16, 900_TFLOPps},
                                 {Precision::Fp16, 950_TFLOPps},
                                 {Precision::Fp8, 1900_TFLOPps}});
  CHECK(chip.peak_at(Precision::Fp32) == 60_TFLOPps);
  CHECK(chip.peak_at(Precision::Bf16) == 900_TFLOPps);
  CHECK(chip.peak_at(Precision::Fp16) == 950_TFLOPps);
  CHECK(chip.peak_at(Precision::Fp8) == 1900_TFLOPps);
}

TEST_CASE("a precision that the chip lacks runs as the next wider one") {
  const Accelerator chip = with({{Precision::Fp32, 20_TFLOPps}, {Precision::Bf16, 300_TFLOPps}});
  CHECK(chip.peak_at(Precision::Tf32) == 20_TFLOPps);
  CHECK(chip.peak_at(Precision::Fp16) == 300_TFLOPps);
  CHECK(chip.peak_at(Precision::Fp8) == 300_TFLOPps);
  CHECK(chip.peak_at(Precision::Fp4) == 300_TFLOPps);
}

TEST_CASE("a precision wider than any of the chip runs as its widest") {
  const Accelerator chip = with({{Precision::Fp16, 300_TFLOPps}, {Precision::Fp8, 600_TFLOPps}});
  CHECK(chip.peak_at(Precision::Fp32) == 300_TFLOPps);
  CHECK(chip.peak_at(Precision::Bf16) == 300_TFLOPps);
}

TEST_CASE("what a chip lacks runs in the next wider precision, either of 16 bits for the other") {
  const auto runs_in = [](Precision request, std::initializer_list<Precision> has) {
    Accelerator chip;
    for (const Precision each : has)
      chip.peak[static_cast<std::size_t>(each)] = {1_TFLOPps, "made up"};
    return chip.computes_in(request);
  };
  using enum Precision;
  CHECK(runs_in(Fp8, {Fp32, Bf16, Fp16, Fp8}) == Fp8);
  CHECK(runs_in(Fp4, {Fp32, Bf16, Fp16, Fp8}) == Fp8);    // an H100
  CHECK(runs_in(Fp8, {Fp32, Tf32, Bf16, Fp16}) == Bf16);  // an A100
  CHECK(runs_in(Fp4, {Fp32, Tf32, Bf16, Fp16}) == Bf16);
  CHECK(runs_in(Fp8, {Fp32, Fp16}) == Fp16);  // a V100
  CHECK(runs_in(Bf16, {Fp32, Fp16}) == Fp16);
  CHECK(runs_in(Fp16, {Bf16}) == Bf16);  // a TPU v3
  CHECK(runs_in(Fp32, {Bf16, Fp8}) == Bf16);
  CHECK(runs_in(Tf32, {Fp32, Fp16}) == Fp32);
}

TEST_CASE("attention leaves 16 bits only beside narrower products that ask for it") {
  CHECK(pass_precision(Precision::Fp8, false).matmul == Precision::Fp8);
  CHECK(pass_precision(Precision::Fp8, false).attention == Precision::Bf16);
  CHECK(pass_precision(Precision::Fp8, true).attention == Precision::Fp8);
  CHECK(pass_precision(Precision::Fp16, true).attention == Precision::Fp16);
}

TEST_CASE("precisions have the names that files use") {
  CHECK(to_text(Precision::Fp32) == "fp32");
  CHECK(to_text(Precision::Tf32) == "tf32");
  CHECK(to_text(Precision::Bf16) == "bf16");
  CHECK(to_text(Precision::Fp16) == "fp16");
  CHECK(to_text(Precision::Fp8) == "fp8");
  CHECK(to_text(Precision::Fp4) == "fp4");
  for (const auto& [name, precision] : precision_names)  // names contain the number of bits
    if (precision != Precision::Tf32)
      CHECK(8 * width_of(precision) == std::stoi(std::string(name.substr(2))));
  CHECK(width_of(Precision::Tf32) == width_of(Precision::Fp32));  // stored whole, multiplied in 19
}

TEST_CASE(
    "a site's power limit slows arithmetic by the root of it, and nothing where it is higher") {
  Accelerator chip = with({{Precision::Bf16, 1000_TFLOPps}});
  chip.power = {1000_W, "made up"};
  chip.best_product = {800_TFLOPps, "made up"};
  CHECK(chip.rate_under_limit() == 1);
  CHECK(chip.power_at_most() == 1000_W);
  chip.power_limit = {640_W, "made up"};
  CHECK_THAT(chip.rate_under_limit(), test::WithinRel(0.8, 1e-12));
  CHECK(chip.power_at_most() == 640_W);
  CHECK_THAT(chip.best_product_at(Precision::Bf16).base(), test::WithinRel(640e12, 1e-12));
  CHECK(chip.peak_at(Precision::Bf16) == 1000_TFLOPps);
  chip.power_limit = {1200_W, "made up"};
  CHECK(chip.rate_under_limit() == 1);
  CHECK(chip.power_at_most() == 1000_W);
}
