#pragma once

#include <vector>

#include "sim/model/products.hpp"
#include "sim/model/transformer_shape.hpp"

namespace tofn {
inline namespace model {

/// Tokens of the busiest expert-parallel rank over the mean; all other ranks wait for it.
double busiest_share(const TransformerShape&);

/// Tokens that the products of the busiest rank see, counted once per chosen expert. If all ranks
/// are equally busy, a rank receives as many as it sends. Whole experts see the tokens of one
/// rank's stream.
double mlp_rows(const TransformerShape&);

/// Experts that this rank holds; 1 if the MLP is dense.
double experts_here(const TransformerShape&);

/// True if experts work on narrower rows than the stream.
bool is_latent(const TransformerShape&);

/// Width of the input and output of an expert, or of the dense MLP.
double mlp_hidden(const TransformerShape&);

/// Equal MLPs side by side on one rank: the dense one, its experts, or the shared experts.
struct Mlps {
  double rows;   ///< of all MLPs together
  double width;  ///< of one MLP on this rank
  double count;
  double hidden;   ///< width of the input and output
  double payload;  ///< bytes that tensor-parallel ranks exchange; 0: each rank holds whole experts

  double inner() const { return rows * width; }
};

/// The dense MLP or this rank's experts. Tensor-parallel ranks gather tokens after these are
/// dispatched to experts (Megatron-LM).
Mlps own_mlps(const TransformerShape&);
/// The experts that see all tokens; `has_shared_experts` tells whether there are any.
Mlps shared_mlps(const TransformerShape&);
bool has_shared_experts(const TransformerShape&);

/// First products of each MLP, from its input to its width (gate and up together if it is gated),
/// and `down_product`, back to its output.
Linear up_product(const TransformerShape&, const Mlps&);
Linear down_product(const Mlps&);
/// Product that scores every expert for each token of the stream.
Linear router_product(const TransformerShape&);
/// Products from the stream to the width of experts, and back. Each tensor-parallel rank holds them
/// whole and applies them to its own tokens.
Linear to_latent(const TransformerShape&);
Linear from_latent(const TransformerShape&);

/// Products of the adapters beside those of the MLPs: two for each adapter.
std::vector<Linear> adapters_of(const TransformerShape&, const Mlps&);

}  // namespace model
}  // namespace tofn
