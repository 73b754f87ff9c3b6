#include "sim/model/transformer_shape.hpp"

// Products of a dense layer in their order: q, k, v, out, then gate, up, down or up, down. The odd
// ones are saved; attention too, and what ranks reduce-scatter.

namespace tofn {
inline namespace model {
namespace {

double mlp_width(const TransformerShape& s) { return s.feed_forward / s.rank.tensor; }
bool saves_down(const TransformerShape& s) { return s.layer.gated; }

Linear product(const TransformerShape& s, double outputs, double inputs) {
  return {.rows = s.rank.tokens, .outputs = outputs, .inputs = inputs};
}

void add_attention_again(PassWork& pass, const TransformerShape& s) {
  const double element = s.rank.element;
  const double tensor = s.rank.tensor;
  add_moved(pass, 2 * element * s.stream(), s.layer.norms / 2);
  add_entry(pass, s.rank, s.plan, s.payload());
  add_forward(pass, product(s, s.key_width / tensor, s.hidden), element);
  if (s.layer.rotary) add_moved(pass, 2 * element * s.of_heads(s.query_width + s.key_width));
  add_forward(pass, product(s, s.hidden, s.output_width / tensor), element);
}

void add_mlp_again(PassWork& pass, const TransformerShape& s) {
  const double element = s.rank.element;
  const double inner = s.rank.tokens * mlp_width(s);
  add_moved(pass, 3 * element * s.stream());
  add_moved(pass, 2 * element * s.stream(), s.layer.norms / 2);
  add_entry(pass, s.rank, s.plan, s.payload());
  if (s.layer.gated) add_forward(pass, product(s, mlp_width(s), s.hidden), element);
  add_moved(pass, (s.layer.gated ? 3 : 2) * element * inner);
}

}  // namespace

bool saves_every_second_product(const TransformerShape& s) {
  return s.plan.recompute == Recompute::Selective &&
         s.layer.selective_recompute == SelectiveRecompute::EverySecondProduct &&
         s.layer.fused_attention && !s.layer.latent && !s.is_mixture() && s.attends() &&
         s.has_mlp() && s.trains();
}

double saved_bytes(const TransformerShape& s) {
  constexpr double statistics = 4;  // of a query and head, fp32
  const double heads = s.rank.tokens * s.layer.heads / s.rank.tensor;
  const double attention =
      s.of_heads(s.query_width + s.value_width + s.output_width);  // q, v and what it makes
  const double down = saves_down(s) ? s.rank.tokens * s.hidden : 0;
  const double scattered = s.plan.sequence_parallel ? 2 * s.stream() : 0;
  return s.rank.element *
             (s.stream() + attention + s.rank.tokens * mlp_width(s) + down + scattered) +
         statistics * heads;
}

PassWork unsaved_forward(const TransformerShape& s) {
  PassWork pass;
  add_attention_again(pass, s);
  add_mlp_again(pass, s);
  return pass;
}

}  // namespace model
}  // namespace tofn
