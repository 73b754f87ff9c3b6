#include "sim/model/mlp_products.hpp"

namespace tofn {
inline namespace model {
namespace {

/// Number of ranks that split a product of the MLP or of an expert.
double mlp_ranks(const TransformerShape& s) {
  return s.is_mixture() && s.plan.whole_experts ? 1 : s.rank.tensor;
}

double weights(const TransformerShape& s, const Mlps& mlps) {
  const double products = (s.layer.gated ? 3 : 2) * mlps.hidden * mlps.width;
  if (!s.layer.biases) return mlps.count * products;
  return mlps.count * (products + (s.layer.gated ? 2 : 1) * mlps.width + mlps.hidden);
}

}  // namespace

double busiest_share(const TransformerShape& s) {
  return s.is_mixture() && s.plan.expert_parallel_size > 1 ? s.layer.expert_imbalance : 1;
}

double mlp_rows(const TransformerShape& s) {
  return (mlp_ranks(s) == s.rank.tensor ? s.rank.tokens : s.rank.stream_tokens) *
         s.layer.experts_per_token * busiest_share(s);
}

double experts_here(const TransformerShape& s) {
  return s.is_mixture() ? 1.0 * s.layer.experts / s.plan.expert_parallel_size : 1;
}

bool is_latent(const TransformerShape& s) { return s.is_mixture() && s.layer.expert_latent > 0; }

double mlp_hidden(const TransformerShape& s) {
  return is_latent(s) ? s.layer.expert_latent : s.hidden;
}

Mlps own_mlps(const TransformerShape& s) {
  return {.rows = mlp_rows(s),
          .width = s.feed_forward / mlp_ranks(s),
          .count = experts_here(s),
          .hidden = mlp_hidden(s),
          .payload = mlp_ranks(s) == s.rank.tensor
                         ? s.payload() * mlp_hidden(s) / s.hidden *
                               (s.plan.sequence_parallel ? s.layer.experts_per_token : 1)
                         : 0};
}

Mlps shared_mlps(const TransformerShape& s) {
  return {.rows = s.rank.tokens,
          .width = s.layer.shared_feed_forward / s.rank.tensor,
          .count = 1,
          .hidden = s.hidden,
          .payload = s.payload()};
}

Linear up_product(const TransformerShape& s, const Mlps& mlps) {
  return {.rows = mlps.rows / mlps.count,
          .outputs = (s.layer.gated ? 2 : 1) * mlps.width,
          .inputs = mlps.hidden,
          .batch = mlps.count};
}

Linear down_product(const Mlps& mlps) {
  return {.rows = mlps.rows / mlps.count,
          .outputs = mlps.hidden,
          .inputs = mlps.width,
          .batch = mlps.count};
}

Linear router_product(const TransformerShape& s) {
  return {.rows = s.rank.stream_tokens,
          .outputs = static_cast<double>(s.layer.experts),
          .inputs = s.hidden};
}

Linear to_latent(const TransformerShape& s) {
  return {.rows = s.rank.stream_tokens, .outputs = mlp_hidden(s), .inputs = s.hidden};
}

Linear from_latent(const TransformerShape& s) {
  return {.rows = s.rank.stream_tokens, .outputs = s.hidden, .inputs = mlp_hidden(s)};
}

bool has_shared_experts(const TransformerShape& s) { return s.layer.shared_feed_forward > 0; }

std::vector<Linear> adapters_of(const TransformerShape& s, const Mlps& mlps) {
  const double ranks = mlp_ranks(s);
  std::vector<Linear> all;
  const auto add_column = [&](LoraTarget target, double width) {
    Linear product = up_product(s, mlps);
    product.outputs = width;
    if (s.has_adapter(target)) all = joined(all, column_adapter(product, s.layer.lora_rank, ranks));
  };
  add_column(LoraTarget::GateUp, (s.layer.gated ? 2 : 1) * mlps.width);
  add_column(LoraTarget::Gate, mlps.width);
  add_column(LoraTarget::Up, mlps.width);
  if (s.has_adapter(LoraTarget::Down))
    all = joined(all, row_adapter(down_product(mlps), s.layer.lora_rank, ranks));
  return all;
}

std::vector<Linear> mlp_products(const TransformerShape& s) {
  if (!s.has_mlp()) return {};
  if (!s.is_mixture()) return {up_product(s, own_mlps(s)), down_product(own_mlps(s))};
  std::vector<Linear> all;
  if (is_latent(s)) all = {to_latent(s), from_latent(s)};
  if (has_shared_experts(s))
    all = joined(all, {up_product(s, shared_mlps(s)), down_product(shared_mlps(s))});
  return all;
}

std::vector<Linear> expert_products(const TransformerShape& s) {
  if (!s.is_mixture()) return {};
  return {up_product(s, own_mlps(s)), down_product(own_mlps(s))};
}

std::vector<Linear> mlp_adapters(const TransformerShape& s) {
  if (!s.has_mlp()) return {};
  if (!s.is_mixture()) return adapters_of(s, own_mlps(s));
  return has_shared_experts(s) ? adapters_of(s, shared_mlps(s)) : std::vector<Linear>{};
}

std::vector<Linear> expert_adapters(const TransformerShape& s) {
  return s.is_mixture() ? adapters_of(s, own_mlps(s)) : std::vector<Linear>{};
}

double mlp_parameters(const TransformerShape& s) {
  if (!s.has_mlp()) return 0;
  if (!s.is_mixture()) return weights(s, own_mlps(s));
  const double router = (s.hidden + (s.layer.biases ? 1 : 0)) * s.layer.experts;
  const double latent = is_latent(s) ? 2 * s.hidden * mlp_hidden(s) : 0;
  return router + latent + (has_shared_experts(s) ? weights(s, shared_mlps(s)) : 0);
}

double expert_parameters(const TransformerShape& s) {
  return s.is_mixture() ? weights(s, own_mlps(s)) : 0;
}

}  // namespace model
}  // namespace tofn
