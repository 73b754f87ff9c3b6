#pragma once

#include "sim/model/layer_work.hpp"

namespace tofn {
inline namespace model {

/// Scores, softmax and weighted sum of values of one micro-batch on one rank.
struct AttentionCore {
  double heads = 0;      ///< of all samples together
  double head_size = 0;  ///< of queries and keys
  double value_size = 0;
  double queries = 0;          ///< positions on this rank
  double keys = 0;             ///< positions seen, including those of other ranks
  double key_value_share = 1;  ///< heads of keys and values per head of queries
  double blocks = 1;           ///< kernels over which the keys are spread (ring)
  double element = 2;
  double window = 0;        ///< keys that a query sees at most; 0: all
  double window_share = 1;  ///< share of layers that have the window
  double text = 0;          ///< tokens of each packed text; 0: a sample is one text
  bool causal = false;      ///< a fused kernel skips masked scores
  bool dropout = false;
  bool fused = true;

  double scores() const { return heads * queries * keys; }
};

void add_forward(PassWork&, const AttentionCore&);
/// Adds the backward pass. A fused kernel computes the scores once more: 5 products for the forward
/// pass's 2 (FlashAttention-2, arXiv 2307.08691, section 3.1).
void add_backward(PassWork&, const AttentionCore&);

/// Adds the index of sparse attention. Its heads first score all keys, which share one row per
/// token, and their sum is one score per query and key; the `window` keys with the highest scores
/// are chosen.
void add_index_forward(PassWork&, const AttentionCore&);
/// Adds the index's backward pass. Gradients come from the chosen keys alone (arXiv 2512.02556,
/// section 2.1.1), whose scores are computed once more.
void add_index_backward(PassWork&, const AttentionCore&);

/// Bytes kept from forward to backward besides queries, keys, values and the output: scores after
/// softmax and after dropout with its mask (arXiv 2205.05198, section 4.1), or the statistics of a
/// fused kernel.
double kept_bytes(const AttentionCore&);

}  // namespace model
}  // namespace tofn
