#include <algorithm>
#include <cstdint>

#include "microbench/cuda/cuda_processor.hpp"
#include "microbench/harness/element_type.hpp"
#include "tests/gpu/gpu.hpp"

namespace tofn::bench {
namespace {

using test::ContainsText;

// Sizes are unequal so that an interchange shows, multiples of 16 as fp8 requires, and small enough
// for sums below 256, up to which bf16 holds every whole number exactly.
constexpr int m = 32;
constexpr int n = 80;
constexpr int k = 48;

/// A row-major matrix of small whole numbers, 0 to `largest`.
struct Matrix {
  int rows;
  int columns;
  std::uint32_t largest;
  std::uint32_t at(int row, int column) const {
    const std::uint32_t mixed = static_cast<std::uint32_t>(131 * row + column) * 2654435761U;
    return (mixed >> 20) % (largest + 1);
  }
};

std::vector<std::byte> stored(const Matrix& matrix, bool is_transposed, const ElementType& type) {
  const auto size = static_cast<std::size_t>(type.bytes);
  std::vector<std::byte> bytes;
  const int outer = is_transposed ? matrix.columns : matrix.rows;
  const int inner = is_transposed ? matrix.rows : matrix.columns;
  for (int i = 0; i < outer; ++i)
    for (int j = 0; j < inner; ++j) {
      const auto bits = encoded(type, is_transposed ? matrix.at(j, i) : matrix.at(i, j));
      const auto* first = reinterpret_cast<const std::byte*>(&bits);
      bytes.insert(bytes.end(), first, first + size);
    }
  return bytes;
}

std::vector<std::byte> expected(const Matrix& a, const Matrix& b, const Matrix* before,
                                const ElementType& type) {
  std::vector<std::byte> bytes;
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      std::uint32_t sum = before == nullptr ? 0 : before->at(row, column);
      for (int i = 0; i < k; ++i) sum += a.at(row, i) * b.at(i, column);
      REQUIRE(sum <= 256);
      const auto bits = encoded(type, sum);
      const auto* first = reinterpret_cast<const std::byte*>(&bits);
      bytes.insert(bytes.end(), first, first + type.bytes);
    }
  return bytes;
}

const ElementType& operand_type(const std::string& name) {
  return element_type(name == "tf32" ? "fp32" : name, "");
}

const ElementType& result_type(const std::string& name, bool is_fp32) {
  if (is_fp32) return element_type("fp32", "");
  if (name == "tf32") return element_type("fp32", "");
  return element_type(name.starts_with("fp8") ? "bf16" : name, "");
}

void check_product(Processor& processor, const Product& wanted) {
  const std::string name(wanted.type);
  INFO(name << (wanted.transposes_a ? " T" : " N") << (wanted.transposes_b ? "T" : "N")
            << (wanted.accumulates ? " accumulates" : "")
            << (wanted.has_fp32_result ? " in fp32" : ""));
  const Matrix a{m, k, 2};
  const Matrix b{k, n, 2};
  const Matrix before{m, n, 3};
  const ElementType& operand = operand_type(name);
  const ElementType& result = result_type(name, wanted.has_fp32_result);
  CHECK(processor.operand_bytes(name) == operand.bytes);
  if (!wanted.has_fp32_result) CHECK(processor.result_bytes(name) == result.bytes);
  const auto on_device = [&](const std::vector<std::byte>& bytes) {
    auto buffer = processor.allocate(bytes.size());
    buffer->write(0, bytes);
    return buffer;
  };
  const auto a_buffer = on_device(stored(a, wanted.transposes_a, operand));
  const auto b_buffer = on_device(stored(b, wanted.transposes_b, operand));
  const auto c_buffer = on_device(stored(before, false, result));
  Product product = wanted;
  product.a = a_buffer->data();
  product.b = b_buffer->data();
  product.c = c_buffer->data();
  const auto kernel = processor.gemm(product);
  const Elapsed elapsed = processor.timed([&] { kernel->enqueue(); });
  CHECK(elapsed.host > 0);
  CHECK(elapsed.device.value() > 0);
  const bool is_right = c_buffer->read(0, c_buffer->size()) ==
                        expected(a, b, wanted.accumulates ? &before : nullptr, result);
  CHECK(is_right);
}

TEST_CASE("products of every type and layout are right to the last bit") {
  if (test::gpus_or_skip() == 0) return;
  Device device(0, 1);
  const auto processor = cuda_processor(device);
  for (const std::string& name : processor->gemm_types())
    for (unsigned choice = 0; choice < 16; ++choice) {
      const Product product{.type = name,
                            .m = m,
                            .n = n,
                            .k = k,
                            .transposes_a = (choice & 1U) != 0,
                            .transposes_b = (choice & 2U) != 0,
                            .accumulates = (choice & 4U) != 0,
                            .has_fp32_result = (choice & 8U) != 0};
      if (name.starts_with("fp8") && (product.transposes_a || !product.transposes_b)) continue;
      check_product(*processor, product);
    }
}

TEST_CASE("fp8 has one layout, and the others are refused") {
  if (test::gpus_or_skip() == 0) return;
  Device device(0, 1);
  const auto processor = cuda_processor(device);
  const auto types = processor->gemm_types();
  const auto memory = processor->allocate(256);
  Product product{.type = "fp8_e4m3",
                  .m = 16,
                  .n = 16,
                  .k = 16,
                  .a = memory->data(),
                  .b = memory->data(),
                  .c = memory->data()};
  if (std::find(types.begin(), types.end(), "fp8_e4m3") == types.end()) {
    CHECK_THROWS_WITH(processor->gemm(product), ContainsText("needs compute capability 8.9"));
    return;
  }
  CHECK_THROWS_WITH(processor->gemm(product), ContainsText("only with b transposed"));
  product.transposes_b = true;
  product.k = 17;
  CHECK_THROWS_WITH(processor->gemm(product),
                    ContainsText("cuBLASLt has no fp8_e4m3 kernel for m 16, n 16, k 17: "));
}

}  // namespace
}  // namespace tofn::bench
