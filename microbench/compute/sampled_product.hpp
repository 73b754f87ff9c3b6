#pragma once

#include <string_view>

#include "microbench/compute/shape.hpp"
#include "microbench/harness/buffer.hpp"
#include "microbench/harness/element_type.hpp"

namespace tofn::bench {

/// What a product did: c = a op(b), row-major, the matrices at the start of their buffers.
struct SampledProduct {
  Buffer& a;
  Buffer& b;
  Buffer& c;
  GemmShape shape;
  bool transposes_b = false;  ///< b is stored n x k
  const ElementType& operand;
  const ElementType& result;
  double operand_rounding = 0;  ///< relative, of what the processor does to each operand
  double sum_rounding = 0;      ///< relative, of each addition
  double partial_rounding = 0;  ///< relative, of the sums of parts of k, where k is split
};

/// How a processor rounds in products of a type, `bf16`; see the .cpp file for the sources.
SampledProduct sampled_product(std::string_view type, Buffer& a, Buffer& b, Buffer& c,
                               const GemmShape&);

/// Compares entries in the corners and inside with their sums in double precision. Throws
/// std::runtime_error, `wrong result: row 3, column 5 is 1.25, not 7.5`.
void check(const SampledProduct&);

}  // namespace tofn::bench
