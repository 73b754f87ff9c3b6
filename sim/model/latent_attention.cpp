#include <utility>

#include "sim/model/transformer_shape.hpp"

// Latent attention as it trains (arXiv 2405.04434, section 2.1): every tensor-parallel rank makes
// the narrow rows of its part of the stream, which are gathered; the products from them to heads
// are split over ranks, as Megatron-LM does.

namespace tofn {
inline namespace model {
namespace {

double normed_width(const TransformerShape& s) {
  return s.layer.latent->query_rank + s.layer.latent->key_value_rank;
}

/// From the stream to the narrow rows.
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

/// From them to the heads: queries, then keys without the part that bears positions and values.
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

/// Bytes of all tokens' rows that `up` takes.
double payload(const TransformerShape& s) {
  const LatentAttention& latent = *s.layer.latent;
  const double queries = latent.query_rank == 0 ? s.hidden : latent.query_rank;
  return s.rank.element * s.rank.tokens *
         (queries + latent.key_value_rank + latent.rotary_head_size);
}

/// Positions are given to a part of each query and to one row for all keys, which are then put
/// together.
double placed_bytes(const TransformerShape& s) {
  const double rotary = s.layer.latent->rotary_head_size;
  const double rotated = s.of_heads(s.layer.heads * rotary) + s.rank.tokens * rotary;
  return 2 * s.rank.element * (rotated + s.of_heads(s.key_width));
}

}  // namespace

void add_latent_forward(PassWork& pass, const TransformerShape& s) {
  const double element = s.rank.element;
  for (const Linear& product : down(s)) add_forward(pass, product, element);
  add_moved(pass, 2 * element * s.rank.stream_tokens * normed_width(s));
  add_gather(pass, s.rank, s.plan, payload(s));
  pass = joined(std::move(pass), latent_up_forward(s));
}

PassWork latent_up_forward(const TransformerShape& s) {
  PassWork pass;
  for (const Linear& product : up(s)) add_forward(pass, product, s.rank.element);
  add_moved(pass, placed_bytes(s));
  return pass;
}

void add_latent_backward(PassWork& pass, const TransformerShape& s) {
  const double element = s.rank.element;
  const NeededGradients needed{.input = true, .weight = s.trains()};
  add_moved(pass, placed_bytes(s));
  add_gather(pass, s.rank, s.plan, payload(s));
  for (const Linear& product : up(s)) add_backward(pass, product, element, needed);
  add_exit(pass, s.rank, s.plan, payload(s));
  const double moved = s.trains() ? 3 + 2 : 3;  // and weights
  add_moved(pass, moved * element * s.rank.stream_tokens * normed_width(s));
  for (const Linear& product : down(s)) add_backward(pass, product, element, needed);
}

std::vector<Linear> latent_products(const TransformerShape& s) { return joined(down(s), up(s)); }

double latent_kept_bytes(const TransformerShape& s) {
  if (!s.layer.latent) return 0;
  const double rows = 2 * normed_width(s) + s.layer.latent->rotary_head_size;
  return s.rank.element * s.rank.stream_tokens * rows;
}

double latent_parameters(const TransformerShape& s) {
  double sum = normed_width(s);  // norms of the narrow rows
  for (const Linear& product : down(s)) sum += product.inputs * product.outputs;
  for (const Linear& product : up(s)) sum += product.inputs * product.outputs;
  return sum;
}

}  // namespace model
}  // namespace tofn
