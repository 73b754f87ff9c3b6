#include <utility>

#include "sim/model/mlp_products.hpp"
#include "sim/model/transformer_shape.hpp"

namespace tofn {
inline namespace model {
namespace {

/// Elements of this rank's tokens on their way to experts, each counted once.
double sent(const TransformerShape& s) { return s.rank.stream_tokens * mlp_hidden(s); }

/// Adds the exchange from the stream to the products; `leave` adds that back.
void enter(PassWork& pass, const TransformerShape& s, const Mlps& mlps) {
  if (mlps.payload > 0) add_entry(pass, s.rank, s.plan, mlps.payload);
}
void leave(PassWork& pass, const TransformerShape& s, const Mlps& mlps) {
  if (mlps.payload > 0) add_exit(pass, s.rank, s.plan, mlps.payload);
}

/// Bytes per dispatched element; in 8 bits every 128 elements share a factor of 4 bytes (arXiv
/// 2412.19437, section 3.3.2).
double dispatched_bytes(const TransformerShape& s) {
  return s.plan.fp8_dispatch ? 1 + 4.0 / 128 : s.rank.element;
}

/// Adds the exchange that brings tokens to their experts or back, with `element` bytes per element,
/// and the copies that sort tokens by expert. In an exchange of all ranks with all, tokens are
/// sorted by rank before it and by the rank's experts after it (Megatron-LM,
/// MoEAlltoAllTokenDispatcher). On two levels each rank copies the tokens that it receives; with
/// HybridEP the exchange does so.
void add_exchanged(PassWork& pass, const TransformerShape& s, double element) {
  const double ranks = s.plan.expert_parallel_size;
  const double routed = sent(s) * s.layer.experts_per_token;
  const bool is_two_level = has_two_levels(s.plan.expert_dispatch);
  if (ranks == 1 || s.plan.expert_dispatch != ExpertDispatch::HybridEp)
    add_moved(pass, (routed + sent(s)) * s.rank.element);
  if (ranks == 1) return;
  if (!is_two_level && experts_here(s) > 1) add_moved(pass, 2 * routed * s.rank.element);
  const double payload = (is_two_level ? sent(s) : routed) * element * busiest_share(s);
  add_exchange(pass, Group::Expert, ranks, CollectiveKind::AllToAll, payload);
  if (is_two_level) pass.exchanges.mine().back().routing = s.layer.routing();
}

/// Adds the way of tokens to their experts, or that of the gradients of the experts' answers.
void add_dispatch(PassWork& pass, const TransformerShape& s) {
  add_exchanged(pass, s, dispatched_bytes(s));
}
/// Adds the way back of answers, or of the gradients of inputs: these are sums and stay in 16 bits.
void add_combine(PassWork& pass, const TransformerShape& s) {
  add_exchanged(pass, s, s.rank.element);
}

/// Bytes of the softmax over experts in fp32, and of the choice of the best.
double routing_bytes(const TransformerShape& s) {
  constexpr double read_and_written = 8;
  return read_and_written * s.rank.stream_tokens * s.layer.experts;
}

/// Bytes that the activation function reads and writes.
double activation_bytes(const TransformerShape& s, const Mlps& mlps) {
  return (s.layer.gated ? 3 : 2) * s.rank.element * mlps.inner();
}

void add_products_forward(PassWork& pass, const TransformerShape& s, const Mlps& mlps) {
  const double element = s.rank.element;
  enter(pass, s, mlps);
  add_forward(pass, up_product(s, mlps), element);
  add_moved(pass, activation_bytes(s, mlps));
  add_forward(pass, down_product(mlps), element);
  leave(pass, s, mlps);
}

/// Adds the forward pass up to the input of `down_product`.
void add_products_until_down(PassWork& pass, const TransformerShape& s, const Mlps& mlps) {
  enter(pass, s, mlps);
  add_forward(pass, up_product(s, mlps), s.rank.element);
  add_moved(pass, activation_bytes(s, mlps));
}

/// Adds the backward pass, which gathers the input again if it was not kept and weights train.
void add_products_backward(PassWork& pass, const TransformerShape& s, const Mlps& mlps,
                           bool keeps_input) {
  const double element = s.rank.element;
  const NeededGradients needed{.input = true, .weight = s.trains()};
  enter(pass, s, mlps);
  add_backward(pass, down_product(mlps), element, needed);
  add_moved(pass, (s.layer.gated ? 5 : 3) * element * mlps.inner());
  if (s.layer.biases && s.trains())
    add_moved(pass, (s.layer.gated ? 2 : 1) * element * mlps.inner());
  if (s.trains() && !keeps_input) enter(pass, s, mlps);
  add_backward(pass, up_product(s, mlps), element, needed);
  leave(pass, s, mlps);
}

/// Bytes kept between the forward and backward passes of its products. The activation function's
/// output, which is the last product's input, is kept unless backward computes it again.
double kept_inside(const TransformerShape& s, const Mlps& mlps, bool keeps_made = true) {
  const double factors = s.layer.gated ? (s.layer.keeps_activation ? 3 : 2) : 1;
  return factors * s.rank.element * mlps.inner() +
         (s.trains() && keeps_made ? s.rank.product_input * mlps.inner() : 0);
}

/// True if backward runs the whole dense MLP, or all experts, again.
bool recomputes_own(const TransformerShape& s) {
  return s.recomputes(s.is_mixture() ? RecomputeModule::Experts : RecomputeModule::Mlp);
}
bool recomputes_shared(const TransformerShape& s) {
  return has_shared_experts(s) &&
         (s.recomputes(RecomputeModule::Experts) || s.recomputes(RecomputeModule::SharedExperts));
}

/// Bytes that adapters keep in addition to the product itself: their inputs and narrow rows.
double adapter_kept_bytes(const TransformerShape& s, const Mlps& mlps, double input_bytes) {
  double bytes = 0;
  const bool takes_input = s.has_adapter(LoraTarget::GateUp) || s.has_adapter(LoraTarget::Gate) ||
                           s.has_adapter(LoraTarget::Up);
  if (takes_input) bytes += input_bytes;
  if (s.has_adapter(LoraTarget::Down)) bytes += s.rank.element * mlps.inner();
  const double narrow = static_cast<double>(adapters_of(s, mlps).size()) / 2;
  return bytes + s.rank.element * mlps.rows * narrow * s.layer.lora_rank;
}

/// Adds the way of tokens from the stream to the experts.
void add_routing(PassWork& pass, const TransformerShape& s) {
  add_forward(pass, router_product(s), s.rank.element);
  add_moved(pass, routing_bytes(s));
  if (is_latent(s)) add_forward(pass, to_latent(s), s.rank.element);
  add_dispatch(pass, s);
}

/// Forward pass of the dense MLP, or of the experts with the way of tokens to them and back.
PassWork own_forward(const TransformerShape& s) {
  PassWork pass;
  if (s.is_mixture()) add_routing(pass, s);
  add_products_forward(pass, s, own_mlps(s));
  for (const Linear& adapter : adapters_of(s, own_mlps(s)))
    add_forward(pass, adapter, s.rank.element);
  if (s.is_mixture()) add_combine(pass, s);
  if (is_latent(s)) add_forward(pass, from_latent(s), s.rank.element);
  return pass;
}

PassWork own_backward(const TransformerShape& s) {
  PassWork pass;
  const double element = s.rank.element;
  const NeededGradients needed{.input = true, .weight = s.trains()};
  if (is_latent(s)) add_backward(pass, from_latent(s), element, needed);
  if (s.is_mixture()) add_dispatch(pass, s);
  for (const Linear& adapter : adapters_of(s, own_mlps(s)))
    add_backward(pass, adapter, element, {});
  // Only a part of the norm's output may have been kept, but all dispatched tokens are.
  add_products_backward(pass, s, own_mlps(s), s.is_mixture() || s.layer.keeps_gathered);
  if (s.is_mixture()) {
    add_combine(pass, s);
    if (is_latent(s)) add_backward(pass, to_latent(s), element, needed);
    add_moved(pass, routing_bytes(s));
    add_backward(pass, router_product(s), element, needed);
  }
  return pass;
}

void append_own(PassWork& pass, PassWork own, const TransformerShape& s) {
  for (Kernel& kernel : own.kernels.mine()) kernel.is_routed = s.is_mixture();
  pass = joined(std::move(pass), own);
}

/// Bytes of the answers of experts, which the router's gradient needs if they are weighted on their
/// way back. Kernels of the two-level exchange bring sums, so that experts weight their inner
/// activations (Megatron-LM, megatron/core/transformer/moe/README.md, memory-efficient
/// permutation).
double kept_answers(const TransformerShape& s) {
  const bool come_as_sums =
      s.plan.expert_parallel_size > 1 && has_two_levels(s.plan.expert_dispatch);
  return come_as_sums || !s.layer.keeps_answers
             ? 0
             : s.rank.element * sent(s) * s.layer.experts_per_token;
}

}  // namespace

void add_mlp_forward(PassWork& pass, const TransformerShape& s) {
  if (!s.has_mlp()) return;
  add_branch_forward(pass, s);
  append_own(pass, own_forward(s), s);
  if (!has_shared_experts(s)) return;
  add_products_forward(pass, s, shared_mlps(s));
  for (const Linear& adapter : adapters_of(s, shared_mlps(s)))
    add_forward(pass, adapter, s.rank.element);
}

void add_mlp_backward(PassWork& pass, const TransformerShape& s) {
  if (!s.has_mlp()) return;
  add_branch_backward(pass, s);
  if (has_shared_experts(s)) {
    for (const Linear& adapter : adapters_of(s, shared_mlps(s)))
      add_backward(pass, adapter, s.rank.element, {});
    add_products_backward(pass, s, shared_mlps(s), s.layer.keeps_gathered);
  }
  append_own(pass, own_backward(s), s);
}

PassWork mlp_again(const TransformerShape& s) {
  PassWork pass;
  if (!s.has_mlp()) return pass;
  const bool all = recomputes_own(s);
  if (s.recomputes(RecomputeModule::LayerNorm))
    add_moved(pass, 2 * s.rank.element * s.stream(), s.branch_norms());
  if (all) append_own(pass, own_forward(s), s);
  if (s.is_mixture() && !all && s.recomputes(RecomputeModule::ExpertActivation)) {
    PassWork again;
    add_moved(again, activation_bytes(s, own_mlps(s)));
    append_own(pass, std::move(again), s);
  }
  if (recomputes_shared(s)) add_products_forward(pass, s, shared_mlps(s));
  return pass;
}

PassWork experts_until_down(const TransformerShape& s) {
  PassWork routed;
  add_routing(routed, s);
  add_products_until_down(routed, s, own_mlps(s));
  PassWork pass;
  append_own(pass, std::move(routed), s);
  if (has_shared_experts(s)) add_products_until_down(pass, s, shared_mlps(s));
  return pass;
}

double mlp_kept_bytes(const TransformerShape& s) {
  if (!s.has_mlp()) return 0;
  const bool all = recomputes_own(s);
  const bool keeps_made = !s.is_mixture() || !s.recomputes(RecomputeModule::ExpertActivation);
  const double inside =
      (all ? 0 : kept_inside(s, own_mlps(s), keeps_made)) +
      (has_shared_experts(s) && !recomputes_shared(s) ? kept_inside(s, shared_mlps(s)) : 0);
  const double dispatched = all ? 0 : s.rank.product_input * mlp_rows(s) * mlp_hidden(s);
  const bool drops_input = s.recomputes(RecomputeModule::LayerNorm);
  const double stream = drops_input ? 0 : s.rank.product_input * s.kept_input();
  const double adapted =
      adapter_kept_bytes(s, own_mlps(s), s.is_mixture() ? dispatched : stream) +
      (has_shared_experts(s) ? adapter_kept_bytes(s, shared_mlps(s), stream) : 0);
  if (!s.trains()) return inside + adapted;
  double bytes = stream + inside;
  if (s.is_mixture() && !all) bytes += dispatched + kept_answers(s) + routing_bytes(s);
  if (is_latent(s) && !all) bytes += s.rank.product_input * sent(s);  // input of `from_latent`
  return bytes;
}

}  // namespace model
}  // namespace tofn
