#pragma once

#include <compare>
#include <string>
#include <vector>

namespace tofn::bench {

/// A product of an m x k by a k x n matrix.
struct GemmShape {
  int m = 0;
  int n = 0;
  int k = 0;

  double flops() const { return 2.0 * m * n * k; }
  auto operator<=>(const GemmShape&) const = default;
};

/// Reads a shape such as `4096x1024x512`: m, n, k. Throws InputError that names `option`.
GemmShape parse_shape(const std::string& text, const std::string& option);
std::string to_text(const GemmShape&);

/// The forward product and the two of the backward pass (for the input, for the weight).
std::vector<GemmShape> training_shapes(const GemmShape& forward);

}  // namespace tofn::bench
