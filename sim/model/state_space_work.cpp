#include <algorithm>
#include <cmath>

#include "sim/model/part_work.hpp"
#include "sim/model/plan_fit.hpp"
#include "sim/model/products.hpp"

// A layer as in arXiv 2405.21060: the products of the scan are those of section 6.3, one kernel
// each as in github.com/state-spaces/mamba, mamba_ssm/ops/triton/ssd_combined.py. A block's scores
// are computed whole, including the masked half. Element-wise operations move their bytes, as does
// the short convolution. Packed texts change nothing, because states are reset where another text
// begins.

namespace tofn {
inline namespace model {
namespace {

constexpr double state_bytes = 4;  // states, scores and time steps are fp32 (ssd_combined.py)

struct StateSpaceShape {
  const StateSpaceLayers& layer;
  const RankShape& rank;
  const Plan& plan;

  bool trains() const { return !layer.frozen; }
  double stream() const { return rank.stream_tokens * layer.hidden; }
  double payload() const { return rank.element * rank.tokens * layer.hidden; }

  // Widths of this rank's share of all heads or groups.
  double inner() const { return 1.0 * layer.heads * layer.head_size / rank.tensor; }
  double heads() const { return layer.heads / rank.tensor; }
  double convolved() const { return inner() + 2.0 * layer.groups * layer.state_size / rank.tensor; }
  double projected() const {
    if (!layer.has_state()) return 3 * inner();  // two gates and x
    return (layer.gate_rank > 0 ? 2.0 * layer.gate_rank : inner()) + convolved() + heads();
  }
  double keys() const { return 1.0 * layer.groups * layer.state_size / rank.tensor; }

  // Each context-parallel rank scans whole samples with a part of the heads.
  double chunk() const { return std::min<double>(layer.chunk, rank.sequence); }
  double chunks() const { return rank.samples * std::ceil(rank.sequence / chunk()); }
  double head_chunks() const { return chunks() * heads() / rank.context; }
  /// Under the delta rule each head has its own keys and queries; only their products are shared.
  double group_chunks() const {
    if (layer.delta_rule) return head_chunks();
    return chunks() * std::max(1.0, layer.groups / rank.tensor / rank.context);
  }
};

Linear input_product(const StateSpaceShape& s) {
  return {.rows = s.rank.tokens, .outputs = s.projected(), .inputs = 1.0 * s.layer.hidden};
}
/// Products from the narrow rows to the gate and to the decays of keys.
std::vector<Linear> gate_products(const StateSpaceShape& s) {
  const double rank = s.layer.gate_rank;
  if (rank == 0) return {};
  return {{.rows = s.rank.tokens, .outputs = s.inner(), .inputs = rank},
          {.rows = s.rank.tokens, .outputs = s.keys(), .inputs = rank}};
}
Linear output_product(const StateSpaceShape& s) {
  return {.rows = s.rank.tokens, .outputs = 1.0 * s.layer.hidden, .inputs = s.inner()};
}

void add_scan(PassWork& pass, double m, double n, double k, double batch, double written,
              double repeated = 0) {
  pass.kernels.push_back({.m = m,
                          .n = n,
                          .k = k,
                          .batch = batch,
                          .written = written,
                          .repeated = repeated,
                          .is_scan = true});
}

double states_bytes(const StateSpaceShape& s) {
  return state_bytes * s.head_chunks() * s.layer.head_size * s.layer.state_size;
}

/// Adds the delta rule, which corrects a block's values. The triangle of the scores of its keys is
/// inverted and applied to the keys and the values; then the state's prediction for the keys is
/// subtracted (github.com/fla-org/flash-linear-attention, fla/ops/gated_delta_rule/chunk.py, one
/// kernel each).
void add_delta_rule(PassWork& pass, const StateSpaceShape& s, double repeated, int times = 1) {
  if (!s.layer.delta_rule) return;
  const double size = s.layer.head_size;
  const double state = s.layer.state_size;
  const double element = s.rank.element;
  for (int each = 0; each < times; ++each) {
    add_scan(pass, s.chunk(), s.chunk(), state, s.head_chunks(), state_bytes, repeated);
    add_scan(pass, s.chunk(), s.chunk(), s.chunk() / 3, s.head_chunks(), element, repeated);
    add_scan(pass, s.chunk(), state + size, s.chunk(), s.head_chunks(), element, repeated);
    add_scan(pass, s.chunk(), size, state, s.head_chunks(), element, repeated);
  }
}

/// Adds the part of the scan that backward computes again: the convolution, the sums of time steps,
/// the scores of C and B, and the states of the blocks, which then pass from block to block.
void add_states(PassWork& pass, const StateSpaceShape& s, double repeated) {
  const double element = s.rank.element;
  add_moved(pass, 2 * element * s.rank.tokens * s.convolved());
  add_moved(pass, (element + 2 * state_bytes) * s.rank.tokens * s.heads());
  add_scan(pass, s.chunk(), s.chunk(), s.layer.state_size, s.group_chunks(), state_bytes, repeated);
  add_scan(pass, s.layer.head_size, s.layer.state_size, s.chunk(), s.head_chunks(), state_bytes,
           repeated);
  add_delta_rule(pass, s, repeated);
  add_moved(pass, (1 + element / state_bytes) * states_bytes(s));
}

/// Adds one kernel with two products: scores times inputs, and C times the state before the block.
void add_outputs(PassWork& pass, const StateSpaceShape& s) {
  add_scan(pass, s.chunk(), s.layer.head_size, s.chunk() + s.layer.state_size, s.head_chunks(),
           s.rank.element);
}

void add_scan_backward(PassWork& pass, const StateSpaceShape& s) {
  const double state = s.layer.state_size;
  const double size = s.layer.head_size;
  add_states(pass, s, 1);
  // Gradients of states, of inputs, of B and C through states, of scores, and of B and C through
  // scores.
  add_scan(pass, size, state, s.chunk(), s.head_chunks(), state_bytes);
  add_moved(pass, 3 * states_bytes(s));
  add_outputs(pass, s);
  add_scan(pass, s.chunk(), state, size, s.head_chunks(), s.rank.element);
  add_scan(pass, s.chunk(), state, size, s.head_chunks(), s.rank.element);
  add_scan(pass, s.chunk(), s.chunk(), size, s.head_chunks(), state_bytes);
  for (int each = 0; each < 2; ++each)
    add_scan(pass, s.chunk(), state, s.chunk(), s.group_chunks(), s.rank.element);
  add_delta_rule(pass, s, 0, 2);  // a product has two gradients
  add_moved(pass, 3 * s.rank.element * s.rank.tokens * s.convolved());
}

/// Adds the exchange from a part of the tokens to a part of the heads, or back (Megatron-LM,
/// core/ssm/mamba_context_parallel.py).
void add_context_exchange(PassWork& pass, const StateSpaceShape& s, double width) {
  add_exchange(pass, Group::Context, s.rank.context, CollectiveKind::AllToAll,
               s.rank.element * s.rank.tokens * width);
}

/// Adds all operations between the input and the output product.
void add_mixing_forward(PassWork& pass, const StateSpaceShape& s) {
  const double element = s.rank.element;
  if (!s.layer.has_state()) return add_moved(pass, 4 * element * s.rank.tokens * s.inner());
  for (const Linear& product : gate_products(s)) add_forward(pass, product, element);
  add_context_exchange(pass, s, s.projected());
  add_states(pass, s, 0);
  add_outputs(pass, s);
  add_context_exchange(pass, s, s.inner());
  add_moved(pass, 3 * element * s.rank.tokens * s.inner());  // the gated norm
}

void add_mixing_backward(PassWork& pass, const StateSpaceShape& s) {
  const double element = s.rank.element;
  if (!s.layer.has_state()) return add_moved(pass, 7 * element * s.rank.tokens * s.inner());
  add_moved(pass, 5 * element * s.rank.tokens * s.inner());
  add_context_exchange(pass, s, s.inner());
  add_scan_backward(pass, s);
  add_context_exchange(pass, s, s.projected());
  for (const Linear& product : gate_products(s))
    add_backward(pass, product, element, {.input = true, .weight = s.trains()});
}

PassWork forward(const StateSpaceShape& s) {
  PassWork pass;
  const double element = s.rank.element;
  add_moved(pass, 2 * element * s.stream());
  add_entry(pass, s.rank, s.plan, s.payload());
  add_forward(pass, input_product(s), element);
  add_mixing_forward(pass, s);
  add_forward(pass, output_product(s), element);
  add_exit(pass, s.rank, s.plan, s.payload());
  add_moved(pass, 3 * element * s.stream());
  return pass;
}

PassWork backward(const StateSpaceShape& s) {
  PassWork pass;
  const double element = s.rank.element;
  const NeededGradients needed{.input = true, .weight = s.trains()};
  add_entry(pass, s.rank, s.plan, s.payload());
  add_backward(pass, output_product(s), element, needed);
  add_mixing_backward(pass, s);
  // Only a part of the norm's output was kept, and gradients of weights need all of it.
  if (s.trains()) add_entry(pass, s.rank, s.plan, s.payload());
  add_backward(pass, input_product(s), element, needed);
  add_exit(pass, s.rank, s.plan, s.payload());
  add_moved(pass, (s.trains() ? 5 : 3) * element * s.stream());
  add_moved(pass, 3 * element * s.stream());  // sum of the two branches
  return pass;
}

/// Bytes kept for backward: inputs of the norms and of the products, and the output of the input
/// product. The rest of the scan is computed again.
Bytes kept(const StateSpaceShape& s) {
  const double inputs = s.trains() ? s.stream() + s.rank.tokens * s.inner() : 0;
  const double normed = s.layer.has_state() ? s.inner() : 0;
  const double gates = s.layer.gate_rank > 0 ? s.inner() + s.keys() : 0;
  return Bytes{s.rank.element * (s.stream() + s.rank.tokens * (s.projected() + normed + gates)) +
               s.rank.product_input * inputs};
}

double parameters_of(const StateSpaceShape& s) {
  const double products = (s.projected() + s.inner()) * s.layer.hidden +
                          (s.layer.biases ? s.projected() + s.layer.hidden : 0);
  const double convolution =
      s.convolved() * (s.layer.convolution + (s.layer.convolution_biases ? 1 : 0));
  double gates = 0;
  for (const Linear& product : gate_products(s)) gates += product.inputs * product.outputs;
  const double of_heads = 3 * s.heads();  // A, D and the bias of the time step
  const double of_state = s.layer.has_state() ? of_heads + s.inner() + gates : 0;
  return products + convolution + of_state + s.layer.hidden;
}

}  // namespace

LayerWork part_work(const StateSpaceLayers& layer, const RankShape& rank, const Plan& plan) {
  const StateSpaceShape s{.layer = layer, .rank = rank, .plan = plan};
  LayerWork work{.name = "state-space layer", .count = layer.count};
  work.forward = forward(s);
  work.backward = backward(s);
  work.parameters = parameters_of(s);
  work.trainable = s.trains() ? 1 : 0;
  if (s.trains())
    work.orthogonalised =
        newton_schulz_step(joined({input_product(s), output_product(s)}, gate_products(s)));
  work.boundary = Bytes{rank.element * s.stream()};
  work.activations = kept(s);
  if (plan.recompute == Recompute::Full) recompute_all(work, work.boundary);
  return work;
}

/// InputError if ranks do not divide the heads or groups; norms lie within a rank (arXiv
/// 2405.21060, section 8.1).
void check_fit(const StateSpaceLayers& layer, const Model& model, const Plan& plan) {
  const int ranks = plan.tensor_parallel_size;
  const int context = plan.context_parallel_size;
  require_divides("tp", ranks, "state-space heads", layer.heads, model);
  require_divides("tp", ranks, "state-space groups", layer.groups, model);
  require_divides("tp*cp", ranks * context, "state-space heads", layer.heads, model);
  require_divides("cp", context, "sequence length", model.sequence_length, model);
  if (plan.sequence_parallel)
    require_divides("sequence parallelism: tp", ranks, "tokens of a context-parallel rank",
                    model.sequence_length / context, model);
}

PartTraits part_traits(const StateSpaceLayers& layer) {
  return {.hidden = layer.hidden,
          .layers = layer.count,
          .heads = layer.heads,
          .dimensions = {layer.count, layer.hidden, layer.heads, layer.head_size, layer.groups,
                         layer.state_size}};
}

}  // namespace model
}  // namespace tofn
