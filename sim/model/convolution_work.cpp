#include "sim/model/part_work.hpp"
#include "sim/model/products.hpp"

namespace tofn {
inline namespace model {
namespace {

/// A convolution's tensors on one rank.
struct Sizes {
  double element;
  double inputs;   ///< elements
  double outputs;  ///< elements
  double weights;
  double positions;  ///< of the output, over all samples

  /// Bytes that one of its three products reads and writes. Unfolded images stay on chip.
  Bytes bytes(double weight_bytes) const {
    return Bytes{element * (inputs + outputs) + weight_bytes * weights};
  }
};

Sizes sizes(const Convolution& c, const RankShape& rank) {
  const double positions = rank.samples * c.height * c.width;
  return {.element = rank.element,
          .inputs = positions * c.stride * c.stride * c.inputs,
          .outputs = positions * c.outputs,
          .weights = 1.0 * c.kernel * c.kernel * c.inputs / c.groups * c.outputs,
          .positions = positions};
}

/// Elements that the norm and the activation act on.
double normed(const Convolution& c, const Sizes& s) { return c.norm_first ? s.inputs : s.outputs; }

Kernel forward_product(const Convolution& c, const Sizes& s) {
  return {.m = s.positions,
          .n = 1.0 * c.outputs / c.groups,
          .k = 1.0 * c.inputs / c.groups * c.kernel * c.kernel,
          .batch = static_cast<double>(c.groups),
          .written = s.element,
          .bytes = s.bytes(s.element)};
}

/// Product for the gradient of the input. With a stride, each input position meets fewer weights.
Kernel input_product(const Convolution& c, const Sizes& s) {
  const double stride = 1.0 * c.stride * c.stride;
  return {.m = s.positions * stride,
          .n = 1.0 * c.inputs / c.groups,
          .k = 1.0 * c.outputs / c.groups * c.kernel * c.kernel / stride,
          .batch = static_cast<double>(c.groups),
          .written = s.element,
          .bytes = s.bytes(s.element)};
}

Kernel weight_product(const Convolution& c, const Sizes& s) {
  return {.m = 1.0 * c.inputs / c.groups * c.kernel * c.kernel,
          .n = 1.0 * c.outputs / c.groups,
          .k = s.positions,
          .batch = static_cast<double>(c.groups),
          .written = accumulated_bytes,
          .bytes = s.bytes(accumulated_bytes),
          .is_weight_gradient = true};
}

void add_forward(PassWork& pass, const Convolution& c, const Sizes& s) {
  pass.kernels.push_back(forward_product(c, s));
  // A norm reads its input once for the statistics and once to write; the activation is fused with
  // it.
  if (c.norm || c.activation) add_moved(pass, (c.norm ? 3 : 2) * s.element * normed(c, s));
  if (c.residual) add_moved(pass, 3 * s.element * s.outputs);
}

void add_backward(PassWork& pass, const Convolution& c, const Sizes& s) {
  if (c.residual) add_moved(pass, 3 * s.element * s.outputs);
  if (c.norm || c.activation) add_moved(pass, (c.norm ? 5 : 3) * s.element * normed(c, s));
  if (c.biases && !c.frozen) add_moved(pass, s.element * s.outputs);
  if (c.input_gradient) pass.kernels.push_back(input_product(c, s));
  if (!c.frozen) pass.kernels.push_back(weight_product(c, s));
}

/// Bytes kept for backward: the input, for the weights' gradient, and the input of the norm or the
/// activation, for theirs.
Bytes kept(const Convolution& c, const Sizes& s) {
  const double input = c.frozen ? 0 : s.inputs;
  return Bytes{s.element * (input + (c.norm ? normed(c, s) : 0))};
}

}  // namespace

PartTraits part_traits(const Convolution&) { return {}; }

LayerWork part_work(const Convolution& c, const RankShape& rank, const Plan& plan) {
  const Sizes s = sizes(c, rank);
  LayerWork work{.name = "convolution", .count = c.count};
  add_forward(work.forward, c, s);
  if (!c.shared)
    work.parameters = s.weights + (c.biases ? c.outputs : 0) +
                      (c.norm ? 2.0 * (c.norm_first ? c.inputs : c.outputs) : 0);
  work.trainable = c.frozen ? 0 : 1;
  work.boundary = Bytes{s.element * s.outputs};
  if (c.frozen && !c.input_gradient) return work;  // nothing before this part trains
  add_backward(work.backward, c, s);
  work.activations = kept(c, s);
  if (plan.recompute == Recompute::Full) recompute_all(work, Bytes{s.element * s.inputs});
  return work;
}

}  // namespace model
}  // namespace tofn
