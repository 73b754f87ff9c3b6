#include "microbench/compute/sampled_product.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <span>
#include <stdexcept>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace tofn::bench {
namespace {

std::size_t size_of(int count) { return static_cast<std::size_t>(count); }

double element(const ElementType& type, std::span<const std::byte> bytes, std::size_t index) {
  const auto size = size_of(type.bytes);
  std::uint32_t bits = 0;  // low bytes first, as on all supported machines
  std::memcpy(&bits, bytes.data() + index * size, size);
  return decoded(type, bits);
}

/// `count` elements from element `start`.
std::vector<double> elements(Buffer& buffer, const ElementType& type, std::size_t start,
                             std::size_t count) {
  const auto size = size_of(type.bytes);
  const auto bytes = buffer.read(start * size, count * size);
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = element(type, bytes, i);
  return values;
}

/// Columns of a matrix of `rows` rows, read in slabs, because a copy for each element would be slow
/// on a device.
std::vector<std::vector<double>> columns_of(Buffer& buffer, const ElementType& type, int rows,
                                            int columns, const std::set<int>& wanted) {
  constexpr std::size_t slab_bytes = 16 << 20;
  const std::size_t row_bytes = size_of(columns) * size_of(type.bytes);
  const std::size_t slab = std::max<std::size_t>(slab_bytes / row_bytes, 1);
  std::vector<std::vector<double>> found(wanted.size());
  for (std::size_t row = 0; row < size_of(rows); row += slab) {
    const std::size_t count = std::min(slab, size_of(rows) - row);
    const auto bytes = buffer.read(row * row_bytes, count * row_bytes);
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t next = 0;
      for (const int column : wanted)
        found[next++].push_back(element(type, bytes, i * size_of(columns) + size_of(column)));
    }
  }
  return found;
}

std::vector<std::vector<double>> sampled_columns(const SampledProduct& p,
                                                 const std::set<int>& wanted) {
  const auto [m, n, k] = p.shape;
  if (!p.transposes_b) return columns_of(p.b, p.operand, k, n, wanted);
  std::vector<std::vector<double>> columns;
  for (const int column : wanted)
    columns.push_back(elements(p.b, p.operand, size_of(column) * size_of(k), size_of(k)));
  return columns;
}

/// Indices to sample: both ends and one inside.
std::set<int> sampled(int size) { return {0, static_cast<int>(size * 0.618), size - 1}; }

/// Largest allowed distance of a result from `exact`. Roundings of k additions and of operands add
/// up like a random walk whose steps are as long as the sum at that point, not like the worst case,
/// which would accept anything. The limit is 8 times as much, to allow for chance. It also covers
/// the roundings of partial sums, which grow as the square root of their number.
double tolerance(const SampledProduct& p, double exact, double squares) {
  const double norm = std::sqrt(squares);  // of the terms: the typical size of their sum
  const double walk =
      p.sum_rounding * std::sqrt(p.shape.k) + p.operand_rounding + p.partial_rounding;
  const double result_rounding = std::ldexp(1, -(p.result.mantissa_bits + 1));
  return 8 * walk * norm + 2 * result_rounding * std::abs(exact);
}

void check_entry(const SampledProduct& p, int row, int column, const std::vector<double>& a,
                 const std::vector<double>& b) {
  double exact = 0;
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    exact += a[i] * b[i];
    squares += a[i] * b[i] * a[i] * b[i];
  }
  const std::size_t index = size_of(row) * size_of(p.shape.n) + size_of(column);
  const double found = elements(p.c, p.result, index, 1)[0];
  if (!(std::abs(found - exact) <= tolerance(p, exact, squares)))
    throw std::runtime_error(
        fmt::format("wrong result: row {}, column {} is {}, not {}", row, column, found, exact));
}

}  // namespace

SampledProduct sampled_product(std::string_view type, Buffer& a, Buffer& b, Buffer& c,
                               const GemmShape& shape) {
  const auto named = [](std::string_view name) -> const ElementType& {
    return element_type(name, "type");
  };
  const bool is_8_bit = type.starts_with("fp8");
  const bool is_16_bit = type == "fp16" || type == "bf16";
  SampledProduct product{.a = a,
                         .b = b,
                         .c = c,
                         .shape = shape,
                         .transposes_b = is_8_bit,
                         .operand = named(type == "tf32" ? "fp32" : type),
                         .result = named(is_16_bit  ? type
                                         : is_8_bit ? "bf16"
                                                    : "fp32")};
  // fp32 has 24 bits. Tensor cores truncate sums instead of rounding them, with up to twice the
  // error, and for fp8 they keep 14 bits (DeepSeek-AI, "DeepSeek-V3 technical report", 2024,
  // 3.3.2). TF32 keeps 11 bits of an operand.
  product.sum_rounding = std::ldexp(1, is_8_bit ? -13 : type == "fp32" ? -24 : -23);
  product.operand_rounding = type == "tf32" ? std::ldexp(1, -10) : 0;
  // cuBLASLt splits k between blocks if there are few results, and may keep their sums in 16 bits,
  // as training allows (allow_bf16_reduced_precision_reduction of PyTorch).
  if (product.result.bytes == 2)
    product.partial_rounding = std::ldexp(1, -(product.result.mantissa_bits + 1));
  return product;
}

void check(const SampledProduct& product) {
  const auto [m, n, k] = product.shape;
  const std::set<int> wanted = sampled(n);
  const auto columns = sampled_columns(product, wanted);
  for (const int row : sampled(m)) {
    const auto a = elements(product.a, product.operand, size_of(row) * size_of(k), size_of(k));
    std::size_t next = 0;
    for (const int column : wanted) check_entry(product, row, column, a, columns[next++]);
  }
}

}  // namespace tofn::bench
