#include "sim/model/attention_core.hpp"

#include "sim/model/products.hpp"

namespace tofn {
inline namespace model {
namespace {

constexpr double statistics_bytes = 4;  // log of the sum of exponentials, fp32, a query and head

Kernel product(const AttentionCore& core, double m, double n, double k) {
  return {.m = m,
          .n = n,
          .k = k,
          .batch = core.heads,
          .written = core.element,
          .arithmetic = Arithmetic::Attention};
}

/// One kernel with so many products of scores' size, that moves so many tensors of the queries'
/// size and of the keys'.
Kernel fused(const AttentionCore& core, double products, double query_tensors, double key_tensors) {
  const double reduction = products * core.keys / core.blocks * (core.causal ? 0.5 : 1.0);
  Kernel kernel = product(core, core.queries, core.head_size, reduction);
  kernel.bytes = Bytes{core.element * core.heads * core.head_size *
                       (query_tensors * core.queries +
                        key_tensors * core.key_value_share * core.keys / core.blocks)};
  kernel.count = core.blocks;
  return kernel;
}

}  // namespace

void add_forward(PassWork& pass, const AttentionCore& core) {
  if (core.fused) {
    pass.kernels.push_back(fused(core, 2, 2, 2));  // q, o; k, v
    return;
  }
  pass.kernels.push_back(product(core, core.queries, core.keys, core.head_size));
  add_moved(pass, 2 * core.element * core.scores());  // scale, mask and softmax
  if (core.dropout) add_moved(pass, (2 * core.element + 1) * core.scores());
  pass.kernels.push_back(product(core, core.queries, core.head_size, core.keys));
}

void add_backward(PassWork& pass, const AttentionCore& core) {
  if (core.fused) {
    Kernel kernel = fused(core, 5, 4, 4);  // q, o and their gradients; k, v and theirs
    kernel.repeated = 1.0 / 5;
    pass.kernels.push_back(kernel);
    return;
  }
  pass.kernels.push_back(product(core, core.queries, core.keys, core.head_size));
  pass.kernels.push_back(product(core, core.keys, core.head_size, core.queries));  // of values
  if (core.dropout) add_moved(pass, (2 * core.element + 1) * core.scores());
  add_moved(pass, 3 * core.element * core.scores());                               // softmax
  pass.kernels.push_back(product(core, core.queries, core.head_size, core.keys));  // of queries
  pass.kernels.push_back(product(core, core.keys, core.head_size, core.queries));  // of keys
}

double kept_bytes(const AttentionCore& core) {
  if (core.fused) return statistics_bytes * core.heads * core.queries;
  return core.scores() * (core.element + (core.dropout ? core.element + 1 : 0));
}

}  // namespace model
}  // namespace tofn
