#include "sim/workload/workload.hpp"

#include <cmath>

namespace tofn {
inline namespace workload {

Flops flops(const Gemm& gemm) {
  return Flops{2.0 * gemm.rows * gemm.inputs * gemm.outputs * gemm.count};
}

double Evaluation::interval_at(double global_batch) const {
  if (!mlperf_bert_interval) return interval ? interval->value : 0;
  // mlcommons/training, retired_benchmarks/bert/README.md, "Stopping criteria": every
  // floor(0.05 * (230.23 * batch + 3,000,000) / 25,000) * 25,000 samples.
  return std::floor(0.05 * (230.23 * global_batch + 3'000'000.0) / 25'000.0) * 25'000.0;
}

void add(WorkTotals& sum, const Layer& layer, double count) {
  const bool is_attention = layer.arithmetic == Arithmetic::Attention;
  (is_attention ? sum.attention_forward : sum.matmul_forward) += count * layer.forward.value;
  (is_attention ? sum.attention_backward : sum.matmul_backward) += count * layer.backward.value;
  sum.attention_forward += count * layer.attention_forward;
  sum.attention_backward += count * layer.attention_backward;
  sum.forward_operators += count * layer.forward_operators;
  sum.backward_operators += count * layer.backward_operators;
}

WorkTotals total_work(const Workload& workload) {
  WorkTotals sum;
  for (const Layer& layer : workload.layers) add(sum, layer, layer.count);
  return sum;
}

Seconds ideal_time(Flops matmul, Flops attention, const Accelerator& accelerator,
                   PassPrecision precision) {
  const double limited = accelerator.rate_under_limit();
  return matmul / (limited * accelerator.peak_at(precision.matmul)) +
         attention / (limited * accelerator.peak_at(precision.attention));
}

Seconds ideal_time(const WorkTotals& work, const Accelerator& accelerator,
                   PassPrecision precision) {
  return ideal_time(work.matmul_forward + work.matmul_backward,
                    work.attention_forward + work.attention_backward, accelerator, precision);
}

}  // namespace workload
}  // namespace tofn
