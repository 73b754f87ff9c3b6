#pragma once

#include <memory>
#include <string>
#include <vector>

#include "microbench/compute/processor.hpp"
#include "microbench/compute/shape.hpp"

namespace tofn::bench {

/// Operands that the products of several shapes share: random a and b, and c.
class Operands {
 public:
  /// Throws std::runtime_error where there is no room for the largest.
  Operands(Processor&, const std::string& type, const std::vector<GemmShape>& shapes);
  /// a times b; 8-bit floats with b transposed, the layout that their kernels take.
  std::unique_ptr<PreparedKernel> gemm(const GemmShape&) const;
  /// Compares some entries of the product that ran last with double precision. Throws
  /// std::runtime_error where they differ by more than roundings.
  void check_product(const GemmShape&) const;

  /// Of all three.
  static double bytes_needed(const Processor&, const std::string& type, const GemmShape&);

 private:
  Processor& processor_;
  std::string type_;
  std::unique_ptr<Buffer> a_;
  std::unique_ptr<Buffer> b_;
  std::unique_ptr<Buffer> c_;
};

}  // namespace tofn::bench
