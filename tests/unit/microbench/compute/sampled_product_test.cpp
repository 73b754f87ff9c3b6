#include "microbench/compute/sampled_product.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "microbench/harness/host_buffer.hpp"
#include "tests/catch.hpp"

using namespace tofn::bench;
using namespace tofn::test;

namespace {

/// Buffer of whole numbers in the type.
HostBuffer filled(const ElementType& type, const std::vector<std::uint32_t>& values) {
  const auto size = static_cast<std::size_t>(type.bytes);
  std::vector<std::byte> bytes(values.size() * size);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint32_t bits = encoded(type, values[i]);
    std::memcpy(bytes.data() + i * size, &bits, size);
  }
  HostBuffer buffer(bytes.size());
  buffer.write(0, bytes);
  return buffer;
}

/// Message of checking a product: a 2 x 3 matrix by a 3 x 4 matrix, b in its stored layout, and a
/// claimed c.
std::string outcome(std::string_view type, std::string_view result,
                    const std::vector<std::uint32_t>& b_values,
                    const std::vector<std::uint32_t>& c_values) {
  const ElementType& operand = element_type(type == "tf32" ? "fp32" : type, "type");
  HostBuffer a = filled(operand, {1, 2, 3, 4, 5, 6});
  HostBuffer b = filled(operand, b_values);
  HostBuffer c = filled(element_type(result, "type"), c_values);
  try {
    check(sampled_product(type, a, b, c, {.m = 2, .n = 4, .k = 3}));
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "right";
}

const std::vector<std::uint32_t> b_rows{1, 0, 2, 1, 0, 3, 1, 1, 2, 1, 0, 4};
const std::vector<std::uint32_t> b_columns{1, 0, 2, 0, 3, 1, 2, 1, 0, 1, 1, 4};
// Rows by hand: (1 2 3) b and (4 5 6) b.
const std::vector<std::uint32_t> product{7, 9, 4, 15, 16, 21, 13, 33};

}  // namespace

TEST_CASE("a right product passes in every type and its layout") {
  CHECK(outcome("fp32", "fp32", b_rows, product) == "right");
  CHECK(outcome("tf32", "fp32", b_rows, product) == "right");
  CHECK(outcome("fp16", "fp16", b_rows, product) == "right");
  CHECK(outcome("bf16", "bf16", b_rows, product) == "right");
  CHECK(outcome("fp8_e4m3", "bf16", b_columns, product) == "right");
}

TEST_CASE("a wrong entry, or the wrong layout, is named") {
  std::vector<std::uint32_t> wrong = product;
  wrong[0] = 8;
  CHECK(outcome("bf16", "bf16", b_rows, wrong) == "wrong result: row 0, column 0 is 8, not 7");
  wrong = product;
  wrong[7] = 34;
  CHECK(outcome("fp32", "fp32", b_rows, wrong) == "wrong result: row 1, column 3 is 34, not 33");
  CHECK(outcome("fp32", "fp32", b_columns, product) == "wrong result: row 0, column 2 is 4, not 9");
  CHECK(outcome("fp16", "fp16", b_rows, std::vector<std::uint32_t>(8, 0)) ==
        "wrong result: row 0, column 0 is 0, not 7");
}

TEST_CASE("sums of parts of k may have been rounded to 16 bits, and no more") {
  // The second term of -100 + 101 is kept as a bf16 beside 100, where bf16 numbers are 0.5 apart.
  const auto is_right = [](float found) {
    HostBuffer a = filled(element_type("bf16", "type"), {100, 101});
    HostBuffer b(4);
    const std::array<std::uint16_t, 2> signs{0xbf80, 0x3f80};  // -1, 1
    b.write(0, std::as_bytes(std::span(signs)));
    HostBuffer c(2);
    const auto bits = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(found) >> 16U);
    c.write(0, std::as_bytes(std::span(&bits, 1)));
    try {
      check(sampled_product("bf16", a, b, c, {.m = 1, .n = 1, .k = 2}));
      return true;
    } catch (const std::runtime_error&) {
      return false;
    }
  };
  CHECK(is_right(1));
  CHECK(is_right(1.25F));
  CHECK_FALSE(is_right(6));
  CHECK_FALSE(is_right(-4));
}

TEST_CASE("what is not a number is wrong") {
  const ElementType& fp32 = element_type("fp32", "type");
  HostBuffer a = filled(fp32, {1});
  HostBuffer b = filled(fp32, {1});
  HostBuffer c(4);
  const float nothing = std::numeric_limits<float>::quiet_NaN();
  c.write(0, std::as_bytes(std::span(&nothing, 1)));
  CHECK_THROWS(check(sampled_product("fp32", a, b, c, {.m = 1, .n = 1, .k = 1})));
}
