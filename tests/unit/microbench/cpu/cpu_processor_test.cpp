#ifdef TOFN_HAS_CPU  // without OpenBLAS there is nothing to test

#include "microbench/cpu/cpu_processor.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "tests/catch.hpp"

using namespace tofn::bench;
using namespace tofn::test;

namespace {

using Floats = std::vector<float>;

std::unique_ptr<Buffer> filled(Processor& processor, const Floats& values) {
  auto buffer = processor.allocate(values.size() * sizeof(float));
  buffer->write(0, std::as_bytes(std::span(values)));
  return buffer;
}

Floats contents(Buffer& buffer) {
  const auto bytes = buffer.read(0, buffer.size());
  Floats values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// Whole numbers from -8 to 8 in an order that exposes mixed-up indices. Their products and sums
/// are exact in fp32.
Floats whole_numbers(int count, unsigned start) {
  Floats values;
  unsigned state = start;
  for (int i = 0; i < count; ++i) {
    state = state * 1664525U + 1013904223U;
    values.push_back(static_cast<float>(static_cast<int>(state >> 24) % 17 - 8));
  }
  return values;
}

/// Matrix product by its definition, one entry after the other.
Floats naive(const Product& p, const Floats& a, const Floats& b, Floats c) {
  const auto at = [](const Floats& values, int row, int column, int columns) {
    return values[static_cast<std::size_t>(row * columns + column)];
  };
  for (int i = 0; i < p.m; ++i)
    for (int j = 0; j < p.n; ++j) {
      float sum = 0;
      for (int l = 0; l < p.k; ++l)
        sum += (p.transposes_a ? at(a, l, i, p.m) : at(a, i, l, p.k)) *
               (p.transposes_b ? at(b, j, l, p.k) : at(b, l, j, p.n));
      float& result = c[static_cast<std::size_t>(i * p.n + j)];
      result = p.accumulates ? result + sum : sum;
    }
  return c;
}

}  // namespace

TEST_CASE("OpenBLAS multiplies as the definition says, in every layout") {
  const auto processor = cpu_processor(1);
  const auto transposes_a = GENERATE(false, true);
  const auto transposes_b = GENERATE(false, true);
  const auto accumulates = GENERATE(false, true);
  for (const auto& [m, n, k] : {std::array{1, 1, 1}, {7, 5, 3}, {1, 9, 4}, {33, 17, 129}}) {
    CAPTURE(transposes_a, transposes_b, accumulates, m, n, k);
    const Floats a = whole_numbers(m * k, 1);
    const Floats b = whole_numbers(k * n, 2);
    const Floats c = whole_numbers(m * n, 3);
    const auto a_buffer = filled(*processor, a);
    const auto b_buffer = filled(*processor, b);
    const auto c_buffer = filled(*processor, c);
    const Product product{.type = "fp32",
                          .m = m,
                          .n = n,
                          .k = k,
                          .transposes_a = transposes_a,
                          .transposes_b = transposes_b,
                          .accumulates = accumulates,
                          .a = a_buffer->data(),
                          .b = b_buffer->data(),
                          .c = c_buffer->data()};
    processor->gemm(product)->enqueue();
    CHECK(contents(*c_buffer) == naive(product, a, b, c));
  }
}

TEST_CASE("a type that OpenBLAS does not multiply is refused") {
  CHECK_THROWS_WITH(cpu_processor(1)->gemm({.type = "bf16", .m = 1, .n = 1, .k = 1}),
                    "OpenBLAS multiplies fp32 here, not bf16");
}

TEST_CASE("streams move every element that they count and no other") {
  const auto processor = cpu_processor(1);
  // Several threads share more than 2 x 65536 elements unevenly.
  const int count = GENERATE(1, 1000, 300'001);
  const int behind = 5;  // elements that the stream must not touch
  const auto bytes = static_cast<std::size_t>(count) * sizeof(float);
  const Floats a = whole_numbers(count + behind, 4);
  const Floats b = whole_numbers(count + behind, 5);
  const Floats untouched(static_cast<std::size_t>(count + behind), 99);
  const auto a_buffer = filled(*processor, a);
  const auto b_buffer = filled(*processor, b);
  const auto c_buffer = filled(*processor, untouched);
  Floats expected = untouched;

  processor->stream(MemoryPattern::Copy, {a_buffer.get(), c_buffer.get()}, bytes)->enqueue();
  std::copy_n(a.begin(), count, expected.begin());
  CHECK(contents(*c_buffer) == expected);

  processor->stream(MemoryPattern::Triad, {a_buffer.get(), b_buffer.get(), c_buffer.get()}, bytes)
      ->enqueue();
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) expected[i] = a[i] + 3 * b[i];
  CHECK(contents(*c_buffer) == expected);
  CHECK(contents(*a_buffer) == a);
  CHECK(contents(*b_buffer) == b);
}

TEST_CASE("a copy has two buffers, a triad three") {
  CHECK(buffers_of(MemoryPattern::Copy) == 2);
  CHECK(buffers_of(MemoryPattern::Triad) == 3);
}

TEST_CASE("two steps of Adam, by hand") {
  const auto processor = cpu_processor(1);
  const std::size_t count = GENERATE(3U, 200'000U);
  const auto parameters = filled(*processor, Floats(count, 1));
  const auto gradients = filled(*processor, Floats(count, 0.5F));
  const auto moments = filled(*processor, Floats(2 * count, 0));
  auto* first = reinterpret_cast<float*>(moments->data());
  const auto update =
      processor->adam({.parameters = reinterpret_cast<float*>(parameters->data()),
                       .gradients = reinterpret_cast<const float*>(gradients->data()),
                       .first_moments = first,
                       .second_moments = first + count,
                       .count = count});
  // In fp32 1 - 0.999 is 1.3e-5 too small, and so are the second moments.
  const auto all_near = [&](Buffer& buffer, std::size_t start, double expected) {
    const Floats values = contents(buffer);
    for (std::size_t i = start; i < start + count; ++i)
      if (std::abs(values[i] - expected) > 2e-5 * std::abs(expected)) return false;
    return true;
  };
  // m = 0.1 x 0.5, v = 0.001 x 0.25, p = 1 - 0.001 x 0.05 / sqrt(0.00025), sqrt(0.00025) =
  // 0.0158114
  update->enqueue();
  CHECK(all_near(*moments, 0, 0.05));
  CHECK(all_near(*moments, count, 0.00025));
  CHECK(all_near(*parameters, 0, 1 - 0.00316228));
  // m = 0.9 x 0.05 - 0.1 x 0.25, v = 0.999 x 0.00025 + 0.001 x 0.0625, sqrt(v) = 0.0176706
  const Floats later(count, -0.25F);
  gradients->write(0, std::as_bytes(std::span(later)));
  update->enqueue();
  CHECK(all_near(*moments, 0, 0.02));
  CHECK(all_near(*moments, count, 0.00031225));
  CHECK(all_near(*parameters, 0, 1 - 0.00316228 - 0.00113183));
}

#endif
