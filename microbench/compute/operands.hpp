#pragma once

#include <memory>
#include <string>
#include <vector>

#include "microbench/compute/processor.hpp"
#include "microbench/compute/shape.hpp"

namespace tofn::bench {

/// Operands for products of several shapes: random a and b, and c.
class Operands {
 public:
  /// Throws std::runtime_error if the largest does not fit.
  Operands(Processor&, const std::string& type, const std::vector<GemmShape>& shapes);
  /// The product a times b; for 8-bit floats b is transposed, the layout of their kernels.
  std::unique_ptr<PreparedKernel> gemm(const GemmShape&) const;
  /// Compares some entries of the last product with double precision. Throws std::runtime_error if
  /// they differ by more than rounding.
  void check_product(const GemmShape&) const;

  /// Bytes of all three.
  static double bytes_needed(const Processor&, const std::string& type, const GemmShape&);

 private:
  Processor& processor_;
  std::string type_;
  std::unique_ptr<Buffer> a_;
  std::unique_ptr<Buffer> b_;
  std::unique_ptr<Buffer> c_;
};

}  // namespace tofn::bench
