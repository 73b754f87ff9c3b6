#include "sim/model/transformer_shape.hpp"

namespace tofn {
inline namespace model {
namespace {

double routed_per_token(const TransformerShape& s) {
  return s.is_mixture() ? s.layer.experts_per_token : 1;
}
/// Ranks that split a product of the MLP, or of an expert.
double split(const TransformerShape& s) {
  return s.is_mixture() && s.plan.whole_experts ? 1 : s.rank.tensor;
}
/// Tokens that this rank's products see, each as often as it is routed; experts are taken as
/// equally busy, so that what a rank sends away comes back from others. Whole experts see those of
/// one rank's stream.
double rows(const TransformerShape& s) {
  return (split(s) == s.rank.tensor ? s.rank.tokens : s.rank.stream_tokens) * routed_per_token(s);
}

double experts_here(const TransformerShape& s) {
  return 1.0 * s.layer.experts / s.plan.expert_parallel_size;
}

Linear up(const TransformerShape& s) {
  return {.rows = rows(s) / experts_here(s),
          .outputs = (s.layer.gated ? 2 : 1) * s.feed_forward / split(s),
          .inputs = s.hidden,
          .batch = experts_here(s)};
}
Linear down(const TransformerShape& s) {
  return {.rows = rows(s) / experts_here(s),
          .outputs = s.hidden,
          .inputs = s.feed_forward / split(s),
          .batch = experts_here(s)};
}
Linear router(const TransformerShape& s) {
  return {.rows = s.rank.stream_tokens,
          .outputs = static_cast<double>(s.layer.experts),
          .inputs = s.hidden};
}

double inner(const TransformerShape& s) { return rows(s) * s.feed_forward / split(s); }

/// Tensor-parallel ranks gather tokens after they are dispatched to experts (Megatron-LM).
double payload(const TransformerShape& s) {
  return s.payload() * (s.plan.sequence_parallel ? routed_per_token(s) : 1);
}
/// From the stream to the products and back; those of whole experts are no affair of other ranks.
void enter(PassWork& pass, const TransformerShape& s) {
  if (split(s) == s.rank.tensor) add_entry(pass, s, payload(s));
}
void leave(PassWork& pass, const TransformerShape& s) {
  if (split(s) == s.rank.tensor) add_exit(pass, s, payload(s));
}

/// Tokens to their experts or back: a copy in order of experts, and the exchange.
void add_dispatch(PassWork& pass, const TransformerShape& s) {
  const double routed = s.stream() * routed_per_token(s) * s.rank.element;
  add_moved(pass, routed + s.stream() * s.rank.element);
  add_exchange(pass, Group::Expert, s.plan.expert_parallel_size, CollectiveKind::AllToAll, routed);
}

/// Softmax over experts in fp32, and the choice of the best.
double routing_bytes(const TransformerShape& s) {
  constexpr double read_and_written = 8;
  return read_and_written * s.rank.stream_tokens * s.layer.experts;
}

double weights(const TransformerShape& s) {
  const double products = (s.layer.gated ? 3 : 2) * s.hidden * s.feed_forward / split(s);
  if (!s.layer.biases) return products;
  return products + (s.layer.gated ? 2 : 1) * s.feed_forward / split(s) + s.hidden;
}

}  // namespace

void add_mlp_forward(PassWork& pass, const TransformerShape& s) {
  const double element = s.rank.element;
  add_branch_forward(pass, s);
  if (s.is_mixture()) {
    add_forward(pass, router(s), element);
    add_moved(pass, routing_bytes(s));
    add_dispatch(pass, s);
  }
  enter(pass, s);
  add_forward(pass, up(s), element);
  add_moved(pass, (s.layer.gated ? 3 : 2) * element * inner(s));
  add_forward(pass, down(s), element);
  leave(pass, s);
  if (s.is_mixture()) add_dispatch(pass, s);
}

void add_mlp_backward(PassWork& pass, const TransformerShape& s) {
  const double element = s.rank.element;
  const NeededGradients needed{.input = true, .weight = s.trains()};
  add_branch_backward(pass, s);
  if (s.is_mixture()) add_dispatch(pass, s);
  enter(pass, s);
  add_backward(pass, down(s), element, needed);
  add_moved(pass, (s.layer.gated ? 5 : 3) * element * inner(s));
  if (s.layer.biases && s.trains()) add_moved(pass, (s.layer.gated ? 2 : 1) * element * inner(s));
  // Only a part of the norm's output was kept; of dispatched tokens all are.
  if (s.trains() && !s.is_mixture()) enter(pass, s);
  add_backward(pass, up(s), element, needed);
  leave(pass, s);
  if (s.is_mixture()) {
    add_dispatch(pass, s);
    add_moved(pass, routing_bytes(s));
    add_backward(pass, router(s), element, needed);
  }
}

double mlp_kept_bytes(const TransformerShape& s) {
  const double element = s.rank.element;
  const double before_activation = (s.layer.gated ? 2 : 1) * element * inner(s);
  if (!s.trains()) return before_activation;
  double bytes = element * s.stream() + before_activation + element * inner(s);
  if (s.is_mixture())  // dispatched tokens, and the experts' answers for the router's gradient
    bytes += element * (rows(s) * s.hidden + s.stream() * routed_per_token(s)) + routing_bytes(s);
  return bytes;
}

double mlp_parameters(const TransformerShape& s) {
  return s.is_mixture() ? s.hidden * s.layer.experts : weights(s);
}

double expert_parameters(const TransformerShape& s) {
  return s.is_mixture() ? weights(s) * experts_here(s) : 0;
}

}  // namespace model
}  // namespace tofn
