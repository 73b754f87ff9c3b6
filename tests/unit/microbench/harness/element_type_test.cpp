#include "microbench/harness/element_type.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn::bench;
using namespace tofn::test;

namespace {

const ElementType& type(std::string_view name) { return element_type(name, "--type"); }

std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

}  // namespace

TEST_CASE("fp32 and int32 are the compiler's") {
  for (std::uint32_t value = 0; value < 5000; ++value)
    REQUIRE(encoded(type("fp32"), value) == bits_of(static_cast<float>(value)));
  const std::uint32_t most = 1U << 24;
  CHECK(type("fp32").exact_up_to() == most);
  CHECK(encoded(type("fp32"), most) == bits_of(16777216.0F));
  CHECK(encoded(type("fp32"), most - 1) == bits_of(16777215.0F));
  for (const std::uint32_t value : {0U, 1U, 7U, 65535U, 1U << 30}) {
    const auto number = static_cast<std::int32_t>(value);
    CHECK(encoded(type("int32"), value) == std::bit_cast<std::uint32_t>(number));
  }
}

#ifdef __FLT16_MANT_DIG__
TEST_CASE("fp16 is the compiler's") {
  CHECK(type("fp16").exact_up_to() == 2048);
  for (std::uint32_t value = 0; value <= 2048; ++value) {
    const auto number = static_cast<_Float16>(value);
    std::uint16_t bits = 0;
    static_assert(sizeof number == sizeof bits);
    std::memcpy(&bits, &number, sizeof bits);
    REQUIRE(encoded(type("fp16"), value) == bits);
  }
}
#endif

TEST_CASE("bf16 is the upper half of fp32") {
  CHECK(type("bf16").exact_up_to() == 256);
  for (std::uint32_t value = 0; value <= 256; ++value)
    REQUIRE(encoded(type("bf16"), value) == bits_of(static_cast<float>(value)) >> 16);
}

TEST_CASE("the 8-bit types, by hand") {
  // E4M3 has a sign, four bits of exponent + 7 and three of fraction: 1 = 0 0111 000, 3 = 1.5 x 2.
  constexpr std::array<std::uint32_t, 17> e4m3{0x00, 0x38, 0x40, 0x44, 0x48, 0x4a, 0x4c, 0x4e, 0x50,
                                               0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58};
  CHECK(type("fp8_e4m3").exact_up_to() == 16);
  for (std::uint32_t value = 0; value <= 16; ++value)
    CHECK(encoded(type("fp8_e4m3"), value) == e4m3[value]);
  // E5M2 has five bits of exponent + 15 and two of fraction: 1 = 0 01111 00.
  constexpr std::array<std::uint32_t, 9> e5m2{0x00, 0x3c, 0x40, 0x42, 0x44, 0x45, 0x46, 0x47, 0x48};
  CHECK(type("fp8_e5m2").exact_up_to() == 8);
  for (std::uint32_t value = 0; value <= 8; ++value)
    CHECK(encoded(type("fp8_e5m2"), value) == e5m2[value]);
}

TEST_CASE("bits are decoded to what they were encoded from") {
  for (const ElementType& each : element_types())
    for (std::uint32_t value = 0; value <= std::min(each.exact_up_to(), 5000U); ++value)
      REQUIRE(decoded(each, encoded(each, value)) == value);
}

TEST_CASE("fractions, signs and subnormals are decoded") {
  for (const float value : {-1.5F, 0.1F, -3e-5F, 1e-40F, 3e38F})
    CHECK(decoded(type("fp32"), bits_of(value)) == static_cast<double>(value));
  CHECK(decoded(type("bf16"), 0xbf20) == -0.625);           // fp32 0xbf200000
  CHECK(decoded(type("fp16"), 0x0001) == 1.0 / (1 << 24));  // the least subnormal
  CHECK(decoded(type("fp16"), 0xb800) == -0.5);             // 1 01110 0...
  CHECK(decoded(type("fp8_e4m3"), 0x07) == 7.0 / 8 / 64);   // 0 0000 111
  CHECK(decoded(type("fp8_e4m3"), 0xb4) == -0.75);          // 1 0110 100
  CHECK(decoded(type("fp8_e5m2"), 0x39) == 0.625);          // 0 01110 01
  CHECK(decoded(type("int32"), 0xffffffff) == -1);
}

TEST_CASE("types are known by name and alias, and have their bytes") {
  CHECK(type("float").name == "fp32");
  CHECK(type("half").name == "fp16");
  CHECK(type("bfloat16").name == "bf16");
  CHECK(type("fp32").bytes == 4);
  CHECK(type("int32").bytes == 4);
  CHECK(type("fp16").bytes == 2);
  CHECK(type("bf16").bytes == 2);
  CHECK(type("fp8_e4m3").bytes == 1);
  CHECK(type("fp8_e5m2").bytes == 1);
  CHECK(refusal([] { type("fp33"); }) ==
        "--type: unknown type 'fp33', did you mean 'fp32'? valid types: fp32, fp16, bf16, "
        "fp8_e4m3, fp8_e5m2, int32");
}
