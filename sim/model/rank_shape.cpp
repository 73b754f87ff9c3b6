#include "sim/model/layer_work.hpp"
#include "sim/model/part_work.hpp"

namespace tofn {
inline namespace model {

RankShape rank_shape(const Model& model, const Plan& plan) {
  const Precision precision = asked_precision(model, plan);
  const bool is_wide = precision == Precision::Fp32 || precision == Precision::Tf32;
  RankShape rank{.element = is_wide ? 4.0 : 2.0,
                 .tensor = static_cast<double>(plan.tensor_parallel_size),
                 .context = static_cast<double>(plan.context_parallel_size),
                 .samples = plan.micro_batch,
                 .sequence = model.sequence_length,
                 .packed_text = model.packed_length};
  rank.tokens = rank.samples * rank.sequence / rank.context;
  rank.stream_tokens = plan.sequence_parallel ? rank.tokens / rank.tensor : rank.tokens;
  return rank;
}

}  // namespace model
}  // namespace tofn
