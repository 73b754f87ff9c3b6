#include <algorithm>
#include <cmath>

#include "sim/model/part_work.hpp"
#include "sim/model/products.hpp"

namespace tofn {
inline namespace model {
namespace {

constexpr double kept_of_logit = 4;  ///< bytes of the softmax in fp32
constexpr double typical_loss_bytes = 6;

/// Entries of the vocabulary on one rank. It is padded if the ranks do not divide it, as in
/// Megatron-LM.
double entries(const Vocabulary& vocabulary, double ranks) {
  if (std::fmod(vocabulary.size, ranks) == 0) return vocabulary.size / ranks;
  return std::ceil(vocabulary.size / (vocabulary.multiple * ranks)) * vocabulary.multiple;
}

double norm_parameters(const Vocabulary& vocabulary) {
  return (vocabulary.biases ? 2.0 : 1.0) * vocabulary.hidden;
}

/// Rows of the product: tokens that have a loss.
double rows(const Vocabulary& vocabulary, const RankShape& rank) {
  if (vocabulary.predictions == 0) return rank.tokens;
  return rank.samples * vocabulary.predictions / rank.context;
}

double loss_bytes(const Vocabulary& vocabulary, const RankShape& rank) {
  const double of_whole = vocabulary.loss_bytes.value_or(typical_loss_bytes);
  return rank.tensor > 1 ? vocabulary.split_loss_bytes.value_or(of_whole) : of_whole;
}

CollectiveKind reduction(const Plan& plan) {
  return plan.sequence_parallel ? CollectiveKind::ReduceScatter : CollectiveKind::AllReduce;
}

/// Adds softmax and cross entropy in fp32 over the logits. The lists are bytes per logit of each
/// kernel: a copy in fp32, maximum, difference, exponential, sum, quotient; the gradient's scale
/// and 16-bit copy.
void add_loss(LayerWork& work, double logits, double element) {
  for (const double bytes : {element + 4, 4.0, 8.0, 8.0, 4.0, 8.0})
    add_moved(work.forward, bytes * logits);
  for (const double bytes : {8.0, 4 + element}) add_moved(work.backward, bytes * logits);
}

/// Multiplies the work for tokens predicted further, which use the same weights.
void repeat(LayerWork& work, double times) {
  for (PassWork* pass : {&work.forward, &work.backward}) {
    for (Kernel& kernel : pass->kernels.mine()) kernel.count *= times;
    for (Exchange& exchange : pass->exchanges.mine()) exchange.count *= times;
  }
  work.activations *= times;
}

}  // namespace

PartTraits part_traits(const Vocabulary& vocabulary) {
  return {.hidden = vocabulary.hidden,
          .vocabulary = vocabulary.size,
          .positions = vocabulary.positions,
          .predictions = vocabulary.predictions,
          .tied_table = vocabulary.tied ? 1.0 * vocabulary.size * vocabulary.hidden : 0};
}

LayerWork part_work(const Vocabulary& vocabulary, const RankShape& rank, const Plan& plan) {
  const double elements = rank.tokens * vocabulary.hidden;
  const double stream = rank.stream_tokens * vocabulary.hidden;
  LayerWork work{.name = "embedding", .place = StagePlace::First};
  add_moved(work.forward, 2 * rank.element * elements);
  add_exchange(work.forward, Group::Tensor, rank.tensor, reduction(plan), rank.element * elements);
  if (!vocabulary.frozen) {
    if (plan.sequence_parallel)
      add_exchange(work.backward, Group::Tensor, rank.tensor, CollectiveKind::AllGather,
                   rank.element * elements);
    add_moved(work.backward, (rank.element + accumulated_bytes) * elements);
  }
  work.parameters =
      (entries(vocabulary, rank.tensor) + vocabulary.positions + vocabulary.segments) *
      vocabulary.hidden;
  work.trainable = vocabulary.frozen ? 0 : 1;
  work.boundary = Bytes{rank.element * stream};
  return work;
}

std::optional<LayerWork> closing_work(const Vocabulary& vocabulary, const RankShape& rank,
                                      const Plan& plan) {
  const double element = rank.element;
  const double size = entries(vocabulary, rank.tensor);
  const double hidden = vocabulary.hidden;
  const Linear product{.rows = rows(vocabulary, rank), .outputs = size, .inputs = hidden};
  const double elements = product.rows * hidden;
  const double stream = elements * rank.stream_tokens / rank.tokens;
  LayerWork work{.name = "vocabulary", .place = StagePlace::Last};
  add_moved(work.forward, 2 * element * stream);  // norm
  if (plan.sequence_parallel)
    add_exchange(work.forward, Group::Tensor, rank.tensor, CollectiveKind::AllGather,
                 element * elements);
  add_forward(work.forward, product, element);
  const double whole = vocabulary.whole_logits ? rank.tensor : 1;  // of the rank's own logits
  if (vocabulary.whole_logits)
    add_exchange(work.forward, Group::Tensor, rank.tensor, CollectiveKind::AllGather,
                 element * product.rows * size * whole);
  add_loss(work, product.rows * size * whole, element);
  if (plan.sequence_parallel && !vocabulary.frozen)
    add_exchange(work.backward, Group::Tensor, rank.tensor, CollectiveKind::AllGather,
                 element * elements);
  add_backward(work.backward, product, element, {.input = true, .weight = !vocabulary.frozen});
  add_exchange(work.backward, Group::Tensor, rank.tensor, reduction(plan), element * elements);
  add_moved(work.backward, 3 * element * stream);
  if (!vocabulary.frozen) add_moved(work.backward, 2 * element * stream);

  const bool has_table = !vocabulary.tied || !ends_share_a_stage(plan);
  work.parameters = norm_parameters(vocabulary) + (has_table ? size * hidden : 0) +
                    (vocabulary.output_biases ? size : 0);
  work.trainable = vocabulary.frozen ? 0 : 1;
  // Inputs of the norm and of the product, and logits in fp32 (arXiv 2205.05198, section 4.3).
  const double inputs = vocabulary.frozen ? 1 : 2;
  // A chunk of the loss goes through backward before the next one, so that one chunk's logits exist
  // at a time.
  const double logits = product.rows * size * whole / plan.loss_chunks;
  work.activations = Bytes{inputs * element * stream + kept_of_logit * logits};
  work.loss = Bytes{std::max(0.0, loss_bytes(vocabulary, rank) - kept_of_logit) * logits};
  work.boundary = Bytes{element * product.rows * size};
  repeat(work, 1 + vocabulary.further_tokens);
  return work;
}

}  // namespace model
}  // namespace tofn
