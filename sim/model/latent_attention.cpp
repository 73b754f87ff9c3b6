#include <algorithm>
#include <utility>

#include "sim/model/transformer_shape.hpp"

// Latent attention in training (arXiv 2405.04434, section 2.1). Every tensor-parallel rank makes
// the narrow rows of its part of the stream, and all ranks gather them. The products from these
// rows to heads are split over the ranks, as in Megatron-LM.

namespace tofn {
inline namespace model {
namespace {

double normed_width(const TransformerShape& s) {
  const LatentAttention& latent = *s.layer.latent;
  return 1.0 * latent.query_rank + latent.key_value_rank + latent.index_head_size;
}

/// Products from the stream to the narrow rows.
std::vector<Linear> down(const TransformerShape& s) {
  const LatentAttention& latent = *s.layer.latent;
  const Linear keys{.rows = s.rank.stream_tokens,
                    .outputs = 1.0 * latent.key_value_rank + latent.rotary_head_size,
                    .inputs = s.hidden};
  if (latent.query_rank == 0) return {keys};
  Linear queries = keys;
  queries.outputs = latent.query_rank;
  return {queries, keys};
}

/// Products from the narrow rows to the heads: queries, then values and keys without their rotary
/// part.
std::vector<Linear> up(const TransformerShape& s) {
  const LatentAttention& latent = *s.layer.latent;
  const double rotary_width = 1.0 * s.layer.key_value_heads * latent.rotary_head_size;
  return {{.rows = s.rank.tokens,
           .outputs = s.query_width / s.rank.tensor,
           .inputs = latent.query_rank == 0 ? s.hidden : latent.query_rank},
          {.rows = s.rank.tokens,
           .outputs = (s.key_width - rotary_width + s.value_width) / s.rank.tensor,
           .inputs = static_cast<double>(latent.key_value_rank)}};
}

/// Products from the stream to the index's keys and to the weights of its heads.
std::vector<Linear> index_down(const TransformerShape& s) {
  const LatentAttention& latent = *s.layer.latent;
  if (latent.index_heads == 0) return {};
  return {{.rows = s.rank.stream_tokens,
           .outputs = 1.0 * latent.index_head_size + latent.index_heads,
           .inputs = s.hidden}};
}

/// Product from the narrow rows to the index's queries. Each tensor-parallel rank makes all of them
/// (Megatron-LM, core/transformer/experimental_attention_variant/dsa.py).
std::vector<Linear> index_up(const TransformerShape& s) {
  const LatentAttention& latent = *s.layer.latent;
  if (latent.index_heads == 0) return {};
  return {{.rows = s.rank.tokens,
           .outputs = latent.index_query_width(),
           .inputs = latent.query_rank == 0 ? s.hidden : latent.query_rank}};
}

/// Bytes of the rows of all tokens that `up` and `index_up` take in, and of the index's other rows.
double payload(const TransformerShape& s) {
  const LatentAttention& latent = *s.layer.latent;
  const double queries = latent.query_rank == 0 ? s.hidden : latent.query_rank;
  return s.rank.element * s.rank.tokens *
         (queries + latent.key_value_rank + latent.rotary_head_size + latent.index_head_size +
          latent.index_heads);
}

/// Bytes moved to apply rotary positions to a part of each query and to the one row that all keys
/// share, and to join that row to the keys.
double placed_bytes(const TransformerShape& s) {
  const double rotary = s.layer.latent->rotary_head_size;
  const double rotated = s.of_heads(s.layer.heads * rotary) + s.rank.tokens * rotary;
  return 2 * s.rank.element * (rotated + s.of_heads(s.key_width));
}

}  // namespace

void add_latent_forward(PassWork& pass, const TransformerShape& s) {
  const double element = s.rank.element;
  for (const Linear& product : joined(down(s), index_down(s))) add_forward(pass, product, element);
  add_moved(pass, 2 * element * s.rank.stream_tokens * normed_width(s));
  add_gather(pass, s.rank, s.plan, payload(s));
  pass = joined(std::move(pass), latent_up_forward(s));
}

PassWork latent_up_forward(const TransformerShape& s) {
  PassWork pass;
  for (const Linear& product : joined(up(s), index_up(s)))
    add_forward(pass, product, s.rank.element);
  add_moved(pass, placed_bytes(s));
  return pass;
}

void add_latent_backward(PassWork& pass, const TransformerShape& s) {
  const double element = s.rank.element;
  const NeededGradients needed{.input = true, .weight = s.trains()};
  add_moved(pass, placed_bytes(s));
  add_gather(pass, s.rank, s.plan, payload(s));
  for (const Linear& product : up(s)) add_backward(pass, product, element, needed);
  // The index's input is detached (arXiv 2512.02556, section 2.1.1).
  for (const Linear& product : joined(index_up(s), index_down(s)))
    add_backward(pass, product, element, {.input = false, .weight = s.trains()});
  add_exit(pass, s.rank, s.plan, payload(s));
  const double moved = s.trains() ? 3 + 2 : 3;  // gradients of weights add 2
  add_moved(pass, moved * element * s.rank.stream_tokens * normed_width(s));
  for (const Linear& product : down(s)) add_backward(pass, product, element, needed);
}

std::vector<Linear> latent_products(const TransformerShape& s) {
  return joined(joined(down(s), up(s)), joined(index_down(s), index_up(s)));
}

double latent_kept_bytes(const TransformerShape& s) {
  if (!s.layer.latent) return 0;
  constexpr double place_bytes = 4;  // index of a chosen key
  const LatentAttention& latent = *s.layer.latent;
  const double rows = 2 * normed_width(s) + latent.rotary_head_size + latent.index_heads;
  const double queries = s.recomputes_latent() ? 0 : latent.index_query_width();
  const double chosen = std::min<double>(latent.index_keys, s.rank.sequence);
  return s.rank.element * (s.rank.stream_tokens * rows + s.rank.tokens * queries) +
         place_bytes * s.rank.tokens * chosen;
}

double latent_parameters(const TransformerShape& s) {
  double sum = normed_width(s) + s.layer.latent->index_head_size;  // norms, one with a bias
  for (const Linear& product : latent_products(s)) sum += product.inputs * product.outputs;
  return sum;
}

}  // namespace model
}  // namespace tofn
