#pragma once

#include <string_view>

#include "microbench/compute/shape.hpp"
#include "microbench/harness/buffer.hpp"
#include "microbench/harness/element_type.hpp"

namespace tofn::bench {

/// A finished product c = a op(b), row-major, with the matrices at the start of their buffers.
struct SampledProduct {
  Buffer& a;
  Buffer& b;
  Buffer& c;
  GemmShape shape;
  bool transposes_b = false;  ///< b is stored n x k
  const ElementType& operand;
  const ElementType& result;
  double operand_rounding = 0;  ///< relative, of each operand
  double sum_rounding = 0;      ///< relative, of each addition
  double partial_rounding = 0;  ///< relative, of sums over parts of k if k is split
};

/// A product with the processor's roundings for a type such as `bf16`; the .cpp file has the
/// sources.
SampledProduct sampled_product(std::string_view type, Buffer& a, Buffer& b, Buffer& c,
                               const GemmShape&);

/// Compares entries in the corners and inside with sums in double precision. Throws
/// std::runtime_error, such as `wrong result: row 3, column 5 is 1.25, not 7.5`.
void check(const SampledProduct&);

}  // namespace tofn::bench
