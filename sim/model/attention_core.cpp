#include "sim/model/attention_core.hpp"

#include <algorithm>

#include "sim/model/products.hpp"

namespace tofn {
inline namespace model {
namespace {

constexpr double statistics_bytes = 4;  // log of the sum of exponentials, fp32, per query and head

Kernel product(const AttentionCore& core, double m, double n, double k) {
  return {.m = m,
          .n = n,
          .k = k,
          .batch = core.heads,
          .written = core.element,
          .arithmetic = Arithmetic::Attention};
}

/// Mean share of a text's keys that a query sees under a causal mask, if it sees `window` at most.
double causal_share(double keys, double window) {
  const double share = std::min(1.0, window / keys);
  return share - share * share / 2;
}
/// Share of all keys that a query sees. All keys include those of the sample's other texts.
double seen_share(const AttentionCore& core) {
  const double keys = core.text > 0 ? std::min(core.text, core.keys) : core.keys;
  const double own = keys / core.keys;
  if (!core.causal) return own;
  const double all = causal_share(keys, keys);
  if (core.window == 0) return own * all;
  return own * (all + core.window_share * (causal_share(keys, core.window) - all));
}

/// One fused kernel. It runs `head_products` products over the width of heads and `value_products`
/// over that of values, and moves queries, output, keys and values `tensors` times.
Kernel fused(const AttentionCore& core, double head_products, double value_products,
             double tensors) {
  const double products = head_products * core.head_size / core.value_size + value_products;
  const double reduction = products * core.keys / core.blocks * seen_share(core);
  Kernel kernel = product(core, core.queries, core.value_size, reduction);
  kernel.bytes = Bytes{core.element * core.heads * (core.head_size + core.value_size) * tensors *
                       (core.queries + core.key_value_share * core.keys / core.blocks)};
  kernel.count = core.blocks;
  return kernel;
}

}  // namespace

void add_forward(PassWork& pass, const AttentionCore& core) {
  if (core.fused) {
    pass.kernels.push_back(fused(core, 1, 1, 1));
    return;
  }
  pass.kernels.push_back(product(core, core.queries, core.keys, core.head_size));
  add_moved(pass, 2 * core.element * core.scores());  // scale, mask and softmax
  if (core.dropout) add_moved(pass, (2 * core.element + 1) * core.scores());
  pass.kernels.push_back(product(core, core.queries, core.value_size, core.keys));
}

void add_backward(PassWork& pass, const AttentionCore& core) {
  if (core.fused) {
    Kernel kernel = fused(core, 3, 2, 2);  // tensors and their gradients
    kernel.repeated = core.head_size / (3 * core.head_size + 2 * core.value_size);
    pass.kernels.push_back(kernel);
    return;
  }
  pass.kernels.push_back(product(core, core.queries, core.keys, core.value_size));
  // Products for the gradients of values, of softmax, of queries and of keys.
  pass.kernels.push_back(product(core, core.keys, core.value_size, core.queries));
  if (core.dropout) add_moved(pass, (2 * core.element + 1) * core.scores());
  add_moved(pass, 3 * core.element * core.scores());  // softmax
  pass.kernels.push_back(product(core, core.queries, core.head_size, core.keys));
  pass.kernels.push_back(product(core, core.keys, core.head_size, core.queries));
}

namespace {

constexpr double score_bytes = 4;  // of the index's scores, fp32

/// Kernel of `products` products that compute `share` of the index's scores.
Kernel index_product(const AttentionCore& core, double share, double products) {
  Kernel kernel = product(core, core.queries, core.keys * share, products * core.head_size);
  const double samples = core.heads * core.key_value_share;
  kernel.bytes =
      Bytes{core.element * core.head_size * (core.heads * core.queries + samples * core.keys) +
            score_bytes * samples * core.queries * core.keys * share};
  return kernel;
}

}  // namespace

void add_index_forward(PassWork& pass, const AttentionCore& core) {
  AttentionCore all = core;
  all.window = 0;
  const double share = seen_share(all);
  pass.kernels.push_back(index_product(core, share, 1));
  add_moved(pass, score_bytes * core.heads * core.key_value_share * core.queries * core.keys *
                      share);  // choice of keys
}

void add_index_backward(PassWork& pass, const AttentionCore& core) {
  Kernel kernel = index_product(core, seen_share(core), 3);
  kernel.repeated = 1.0 / 3;
  pass.kernels.push_back(kernel);
}

double kept_bytes(const AttentionCore& core) {
  if (core.fused) return statistics_bytes * core.heads * core.queries;
  return core.scores() * (core.element + (core.dropout ? core.element + 1 : 0));
}

}  // namespace model
}  // namespace tofn
