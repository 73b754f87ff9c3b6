#include "sim/model/attention_core.hpp"
#include "sim/model/part_work.hpp"
#include "sim/model/products.hpp"

// The spatial transformer of latent diffusion models (github.com/Stability-AI/stablediffusion,
// ldm/modules/attention.py): a GroupNorm, three LayerNorms, products of queries, keys and values
// without biases, and a gated GELU in the MLP.

namespace tofn {
inline namespace model {
namespace {

constexpr double mlp_ratio = 4;

struct Block {
  const ImageTransformer& shape;
  double element;
  double rows;  ///< positions of the image over all samples
  double channels;
  double stream;  ///< elements of the image
  Linear square;  ///< projections in and out, queries, keys, values and output
  Linear mlp_up, mlp_down;
  Linear text;  ///< keys and values made from the text
  AttentionCore to_itself, to_text;
};

Block block(const ImageTransformer& shape, const RankShape& rank) {
  const double c = shape.channels;
  const double rows = rank.samples * shape.positions;
  const AttentionCore core{.heads = rank.samples * shape.heads,
                           .head_size = c / shape.heads,
                           .value_size = c / shape.heads,
                           .queries = static_cast<double>(shape.positions),
                           .keys = static_cast<double>(shape.positions),
                           .element = rank.element};
  AttentionCore to_text = core;
  to_text.keys = shape.text_positions;
  return {.shape = shape,
          .element = rank.element,
          .rows = rows,
          .channels = c,
          .stream = rows * c,
          .square = {.rows = rows, .outputs = c, .inputs = c},
          .mlp_up = {.rows = rows, .outputs = 2 * mlp_ratio * c, .inputs = c},
          .mlp_down = {.rows = rows, .outputs = c, .inputs = mlp_ratio * c},
          .text = {.rows = rank.samples * shape.text_positions,
                   .outputs = c,
                   .inputs = static_cast<double>(shape.text_channels),
                   .count = 2},
          .to_itself = core,
          .to_text = to_text};
}

/// Projections in and out; q, k, v and output of self-attention; q and output of attention to the
/// text.
constexpr double square_products = 8;
/// Number of `square_products` that have biases.
constexpr double square_biases = 4;
constexpr double layer_norms = 3;
/// One after each of the two attentions, one after the MLP and one around the whole block.
constexpr double residuals = 4;

PassWork forward(const Block& b) {
  PassWork pass;
  Linear square = b.square;
  square.count = square_products;
  add_moved(pass, 3 * b.element * b.stream);  // GroupNorm: statistics, then values
  add_moved(pass, 2 * b.element * b.stream, layer_norms);
  add_forward(pass, square, b.element);
  add_forward(pass, b.text, b.element);
  add_forward(pass, b.to_itself);
  add_forward(pass, b.to_text);
  add_forward(pass, b.mlp_up, b.element);
  add_moved(pass, 3 * b.element * mlp_ratio * b.stream);
  add_forward(pass, b.mlp_down, b.element);
  add_moved(pass, 3 * b.element * b.stream, residuals);
  return pass;
}

PassWork backward(const Block& b) {
  PassWork pass;
  Linear square = b.square;
  square.count = square_products;
  add_moved(pass, 3 * b.element * b.stream, residuals);
  add_backward(pass, b.mlp_down, b.element, {});
  add_moved(pass, 5 * b.element * mlp_ratio * b.stream);
  add_moved(pass, 2 * b.element * mlp_ratio * b.stream);  // bias of the first product
  add_backward(pass, b.mlp_up, b.element, {});
  add_backward(pass, b.to_text);
  add_backward(pass, b.to_itself);
  add_backward(pass, b.text, b.element, {.input = false, .weight = true});  // texts are inputs
  add_backward(pass, square, b.element, {});
  add_moved(pass, b.element * b.stream, square_biases + 1);  // with that of the second product
  add_moved(pass, 5 * b.element * b.stream, 1 + layer_norms);
  return pass;
}

/// Bytes kept for backward: inputs of the norms and of the products; q, k, v and output of both
/// attentions; gate, up and their product.
Bytes kept(const Block& b, Recompute recompute) {
  const double norms = 2 * (1 + layer_norms) * b.stream;
  const double attention = (4 + 2 + 1) * b.stream;  // with the input of the projection out
  const double text = b.text.rows * (2 * b.channels + b.text.inputs);
  const double mlp = (2 + 1) * mlp_ratio * b.stream;
  const double core =
      recompute == Recompute::Selective ? 0 : kept_bytes(b.to_itself) + kept_bytes(b.to_text);
  return Bytes{b.element * (norms + attention + text + mlp) + core};
}

}  // namespace

PartTraits part_traits(const ImageTransformer&) { return {.attends = true}; }

LayerWork part_work(const ImageTransformer& shape, const RankShape& rank, const Plan& plan) {
  const Block b = block(shape, rank);
  const double c = b.channels;
  LayerWork work{.name = "image transformer", .count = shape.count};
  work.forward = forward(b);
  work.backward = backward(b);
  work.parameters = (square_products + 3 * mlp_ratio) * c * c + 2 * b.text.inputs * c +
                    (square_biases + 2 * mlp_ratio + 1) * c + 2 * (1 + layer_norms) * c;
  work.activations = kept(b, plan.recompute);
  work.boundary = Bytes{b.element * b.stream};
  if (plan.recompute == Recompute::Full) recompute_all(work, work.boundary);
  if (plan.recompute == Recompute::Selective) {
    add_forward(work.recompute, b.to_itself);
    add_forward(work.recompute, b.to_text);
  }
  return work;
}

}  // namespace model
}  // namespace tofn
