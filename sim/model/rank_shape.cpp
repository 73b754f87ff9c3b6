#include "sim/model/layer_work.hpp"
#include "sim/model/part_work.hpp"
#include "sim/model/products.hpp"

namespace tofn {
inline namespace model {
namespace {

/// Bytes kept per element of a product's input. Transformer Engine keeps inputs cast to 8 or 4
/// bits; norms, activation functions and attention in 16 bits keep theirs in 16 bits (COAT, arXiv
/// 2410.19313, section 5 and table 2).
double product_input_bytes(Precision precision, double element) {
  if (precision == Precision::Fp8) return 1;
  return precision == Precision::Fp4 ? 0.5 : element;
}

}  // namespace

RankShape rank_shape(const Model& model, const Plan& plan) {
  const Precision precision = requested_precision(model, plan);
  const bool is_wide = precision == Precision::Fp32 || precision == Precision::Tf32;
  const double element = is_wide ? 4.0 : 2.0;
  RankShape rank{.element = element,
                 .product_input = product_input_bytes(precision, element),
                 .tensor = static_cast<double>(plan.tensor_parallel_size),
                 .context = static_cast<double>(plan.context_parallel_size),
                 .samples = plan.micro_batch,
                 .sequence = model.sequence_length,
                 .packed_text = model.packed_length};
  rank.tokens = rank.samples * rank.sequence / rank.context;
  rank.stream_tokens = plan.sequence_parallel ? rank.tokens / rank.tensor : rank.tokens;
  return rank;
}

void add_gather(PassWork& pass, const RankShape& rank, const Plan& plan, double payload) {
  if (plan.sequence_parallel)
    add_exchange(pass, Group::Tensor, rank.tensor, CollectiveKind::AllGather, payload);
}

void add_entry(PassWork& pass, const RankShape& rank, const Plan& plan, double payload) {
  add_gather(pass, rank, plan, rank.product_input / rank.element * payload);
}

void add_exit(PassWork& pass, const RankShape& rank, const Plan& plan, double payload) {
  add_exchange(pass, Group::Tensor, rank.tensor,
               plan.sequence_parallel ? CollectiveKind::ReduceScatter : CollectiveKind::AllReduce,
               payload);
}

}  // namespace model
}  // namespace tofn
