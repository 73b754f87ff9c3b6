#include "sim/workload/compute_profile.hpp"

namespace tofn {
inline namespace workload {

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
