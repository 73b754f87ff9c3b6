#include "microbench/compute/shape.hpp"

#include <array>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn::bench {

GemmShape parse_shape(const std::string& text, const std::string& option) {
  constexpr long long most = 1 << 24;
  std::array<int, 3> sizes{};
  std::size_t start = 0;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::size_t end = i + 1 < sizes.size() ? text.find('x', start) : text.size();
    long long size = 0;
    if (end == std::string::npos ||
        !parse_integer(std::string_view(text).substr(start, end - start), size) || size < 1 ||
        size > most)
      throw InputError(
          {}, option,
          "expected sizes m x n x k such as '4096x1024x512', got '" + shortened(text) + "'");
    sizes[i] = static_cast<int>(size);
    start = end + 1;
  }
  return {.m = sizes[0], .n = sizes[1], .k = sizes[2]};
}

std::string to_text(const GemmShape& shape) {
  return fmt::format("{}x{}x{}", shape.m, shape.n, shape.k);
}

std::vector<GemmShape> training_shapes(const GemmShape& forward) {
  const auto [m, n, k] = forward;
  return {forward, {.m = m, .n = k, .k = n}, {.m = k, .n = n, .k = m}};
}

}  // namespace tofn::bench
