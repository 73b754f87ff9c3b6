#include "microbench/compute/operands.hpp"

#include <algorithm>

#include "microbench/compute/sampled_product.hpp"

namespace tofn::bench {
namespace {

std::size_t elements(int rows, int columns) {
  return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
}

}  // namespace

Operands::Operands(Processor& processor, const std::string& type,
                   const std::vector<GemmShape>& shapes)
    : processor_(processor), type_(type) {
  std::size_t a = 0;
  std::size_t b = 0;
  std::size_t c = 0;
  for (const GemmShape& shape : shapes) {
    a = std::max(a, elements(shape.m, shape.k));
    b = std::max(b, elements(shape.k, shape.n));
    c = std::max(c, elements(shape.m, shape.n));
  }
  const auto operand = static_cast<std::size_t>(processor.operand_bytes(type));
  a_ = processor.allocate(a * operand);
  b_ = processor.allocate(b * operand);
  c_ = processor.allocate(c * static_cast<std::size_t>(processor.result_bytes(type)));
  processor.randomize(*a_, type);
  processor.randomize(*b_, type);
}

std::unique_ptr<PreparedKernel> Operands::gemm(const GemmShape& shape) const {
  return processor_.gemm({.type = type_,
                          .m = shape.m,
                          .n = shape.n,
                          .k = shape.k,
                          .transposes_b = type_.starts_with("fp8"),
                          .a = a_->data(),
                          .b = b_->data(),
                          .c = c_->data()});
}

void Operands::check_product(const GemmShape& shape) const {
  check(sampled_product(type_, *a_, *b_, *c_, shape));
}

double Operands::bytes_needed(const Processor& processor, const std::string& type,
                              const GemmShape& shape) {
  const auto operands =
      static_cast<double>(elements(shape.m, shape.k) + elements(shape.k, shape.n));
  return operands * processor.operand_bytes(type) +
         static_cast<double>(elements(shape.m, shape.n)) * processor.result_bytes(type);
}

}  // namespace tofn::bench
