#include "sim/workload/workload.hpp"

#include <cmath>

namespace tofn {

Flops flops(const Gemm& gemm) {
  return Flops{2.0 * gemm.rows * gemm.inputs * gemm.outputs * gemm.count};
}

double Evaluation::interval_at(double global_batch) const {
  if (!mlperf_bert_interval) return interval ? interval->value : 0;
  // mlcommons/training, retired_benchmarks/bert/README.md, "Stopping criteria": every
  // floor(0.05 * (230.23 * batch + 3,000,000) / 25,000) * 25,000 samples.
  return std::floor(0.05 * (230.23 * global_batch + 3'000'000.0) / 25'000.0) * 25'000.0;
}

WorkTotals total_work(const Workload& workload) {
  WorkTotals sum;
  for (const Layer& layer : workload.layers) {
    const bool attention = layer.arithmetic == Arithmetic::Attention;
    (attention ? sum.attention_forward : sum.matmul_forward) += layer.forward.value * layer.count;
    (attention ? sum.attention_backward : sum.matmul_backward) +=
        layer.backward.value * layer.count;
    sum.attention_forward += layer.attention_forward * layer.count;
    sum.attention_backward += layer.attention_backward * layer.count;
    sum.forward_launches += layer.forward_launches * layer.count;
    sum.backward_launches += layer.backward_launches * layer.count;
    sum.forward_operators += layer.forward_operators * layer.count;
    sum.backward_operators += layer.backward_operators * layer.count;
  }
  return sum;
}

}  // namespace tofn
