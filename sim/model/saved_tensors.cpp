#include <utility>

#include "sim/model/attention_core.hpp"
#include "sim/model/transformer_shape.hpp"

namespace tofn {
inline namespace model {
namespace {

/// Outputs of a dense layer that are kept. If `scattered`, reduce-scattered outputs are kept too.
struct SavedTensors {
  bool query, key, value, core, out, gate, up, down;
  bool scattered = false;
  bool on_host = false;  ///< neither they nor the input take the accelerator's memory
};

SavedTensors saved_by(SelectiveRecompute policy, bool is_gated) {
  constexpr bool yes = true;
  constexpr bool no = false;
  switch (policy) {
    case SelectiveRecompute::CoreAndMlp:
      return {yes, yes, yes, no, yes, no, no, no};
    case SelectiveRecompute::CoreAndMlpInputs:
      return {yes, yes, yes, no, yes, no, no, yes};
    case SelectiveRecompute::Offloaded:
      return {yes, yes, yes, no, no, no, no, no, no, yes};
    case SelectiveRecompute::AttentionCore:
    case SelectiveRecompute::EverySecondProduct:
      break;
  }
  // If there is no gate, the fifth product is up.
  return {yes, no, yes, yes, no, is_gated, !is_gated, is_gated, yes};
}

SavedTensors saved(const TransformerShape& s) {
  return saved_by(s.layer.selective_recompute.value_or(SelectiveRecompute::AttentionCore),
                  s.layer.gated);
}

double mlp_width(const TransformerShape& s) { return s.feed_forward / s.rank.tensor; }

void add_product(PassWork& pass, const TransformerShape& s, double outputs, double inputs) {
  if (outputs > 0)
    add_forward(pass, Linear{.rows = s.rank.tokens, .outputs = outputs, .inputs = inputs},
                s.rank.element);
}

void add_attention_again(PassWork& pass, const TransformerShape& s, const SavedTensors& kept) {
  const double element = s.rank.element;
  const double tensor = s.rank.tensor;
  const double widths = (kept.query ? 0 : s.query_width) + (kept.key ? 0 : s.key_width) +
                        (kept.value ? 0 : s.value_width);
  add_moved(pass, 2 * element * s.stream(), s.branch_norms());
  if (widths > 0) add_entry(pass, s.rank, s.plan, s.payload());
  add_product(pass, s, widths / tensor, s.hidden);
  if (s.layer.rotary) add_moved(pass, 2 * element * s.of_heads(s.query_width + s.key_width));
  if (!kept.core) pass = joined(std::move(pass), core_forward(s));
  if (kept.out) return;
  add_product(pass, s, s.hidden, s.output_width / tensor);
  if (!kept.scattered) add_exit(pass, s.rank, s.plan, s.payload());
}

/// Adds the recomputation of the MLP. The output of its last product, down, is not needed. Products
/// of experts are grouped, and no policy keeps their outputs
/// (torchtitan/distributed/activation_checkpoint.py lists `mm`, not `_grouped_mm`).
void add_mlp_again(PassWork& pass, const TransformerShape& s, const SavedTensors& kept) {
  const double element = s.rank.element;
  const double widths =
      (kept.gate || !s.layer.gated ? 0 : mlp_width(s)) + (kept.up ? 0 : mlp_width(s));
  add_moved(pass, 3 * element * s.stream());
  add_moved(pass, 2 * element * s.stream(), s.branch_norms());
  if (s.is_mixture()) {
    pass = joined(std::move(pass), experts_until_down(s));
    return;
  }
  if (widths > 0) add_entry(pass, s.rank, s.plan, s.payload());
  add_product(pass, s, widths, s.hidden);
  add_moved(pass, (s.layer.gated ? 3 : 2) * element * s.rank.tokens * mlp_width(s));
}

}  // namespace

bool saves_products(const TransformerShape& s) {
  return s.plan.recompute == Recompute::Selective &&
         s.layer.selective_recompute.value_or(SelectiveRecompute::AttentionCore) !=
             SelectiveRecompute::AttentionCore &&
         s.plan.recompute_modules.is_empty() && s.layer.fused_attention && !s.layer.latent &&
         !s.layer.output_gate && s.attends() && s.has_mlp() && s.trains();
}

double saved_bytes(const TransformerShape& s) {
  constexpr double statistics = 4;  // of a query and head, fp32
  const SavedTensors kept = saved(s);
  if (kept.on_host) return 0;
  double elements = s.stream();
  elements += s.of_heads((kept.query ? s.query_width : 0) + (kept.key ? s.key_width : 0) +
                         (kept.value ? s.value_width : 0) + (kept.core ? s.output_width : 0));
  if (!s.is_mixture())
    elements += s.rank.tokens * mlp_width(s) * ((kept.gate ? 1 : 0) + (kept.up ? 1 : 0));
  const bool keeps_down = kept.down && !s.is_mixture();
  elements += s.rank.tokens * s.hidden * ((kept.out ? 1 : 0) + (keeps_down ? 1 : 0));
  if (kept.scattered && s.plan.sequence_parallel) elements += 2 * s.stream();
  const double queries = s.rank.tokens * s.layer.heads / s.rank.tensor;
  return s.rank.element * elements + (kept.core ? statistics * queries : 0);
}

PassWork unsaved_forward(const TransformerShape& s) {
  PassWork pass;
  add_attention_again(pass, s, saved(s));
  add_mlp_again(pass, s, saved(s));
  return pass;
}

}  // namespace model
}  // namespace tofn
