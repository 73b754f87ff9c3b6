#pragma once

#include <string_view>

#include "sim/core/range.hpp"
#include "sim/kernel/kernel_profile.hpp"

// The figures that a stack's file states, a row each, for reading and sensitivity. Those that are
// fitted to measured steps are in `stack_figures`.

namespace tofn {
inline namespace kernel {

struct StackField {
  std::string_view key;
  Range range;
  bool may_be_absent = false;  ///< an absent factor is 1
  std::string_view meaning{};
};

/// Calls `visit(field, figure...)` for each, with the figures of `of...`.
template <class Visit, class... Profiles>
void visit_stack(const Visit& visit, Profiles&... of) {
  using namespace range;
  constexpr Range zero_to_one{0, 1, false, "must be from 0 to 1"};
  visit(StackField{"gemm_efficiency", share, false,
                   "share of the peak that the main loop of a large 16-bit product reaches"},
        of.gemm_efficiency...);
  visit(StackField{"best_product_share", share, false,
                   "share of its peak that the chip's best product reaches where that was fitted"},
        of.best_product_share...);
  visit(StackField{"fused_attention_efficiency", share, false,
                   "share of the peak that a kernel which keeps scores on chip reaches"},
        of.fused_attention_efficiency...);
  visit(StackField{"memory_efficiency", share, false,
                   "share of the bandwidth that element-wise kernels and epilogues reach"},
        of.memory_efficiency...);
  visit(StackField{"kernel_start", not_negative, false,
                   "time that each kernel adds, whatever its size"},
        of.kernel_start...);
  visit(StackField{"host_per_kernel", not_negative, false,
                   "time that the host needs to start a kernel"},
        of.host_per_kernel...);
  visit(StackField{"overlap_slowdown", zero_to_one, false,
                   "share of the time of overlapped communication that compute loses"},
        of.overlap_slowdown...);
  visit(StackField{"optimizer_bytes", positive, false,
                   "bytes of a parameter that the optimizer moves"},
        of.optimizer_bytes...);
  visit(StackField{"gradient_bytes", positive, false, "bytes of a gradient as it travels"},
        of.gradient_bytes...);
  visit(StackField{"parameter_bytes", positive, false, "bytes of a parameter as it travels"},
        of.parameter_bytes...);
  visit(StackField{"fp8_parameter_bytes", positive, true,
                   "bytes of a parameter as it travels where products are in fp8 or fp4"},
        of.fp8_parameter_bytes...);
  visit(StackField{"gradient_bucket", positive, false, "gradients that travel in one collective"},
        of.gradient_bucket...);
  visit(
      StackField{
          "gradient_bucket_of_a_replica", not_negative, true,
          "least gradient bucket over data-parallel ranks: it grows to this times the ranks"},
      of.gradient_bucket_of_a_replica...);
  visit(StackField{"host_memory_bandwidth", positive, false,
                   "one accelerator's share of its host's memory bandwidth"},
        of.host_memory_bandwidth...);
  visit(StackField{"rank_noise", not_negative, false,
                   "relative standard deviation of compute between equal nodes"},
        of.rank_noise...);
  visit(StackField{"fp8_efficiency", positive, true,
                   "efficiency of products in fp8 and fp4, over what the chip's best ones reach "
                   "beside those in 16 bits"},
        of.fp8_efficiency...);
  visit(StackField{"quantise_bytes", not_negative, true,
                   "bytes moved to convert each element that comes to a product in fp8 or fp4"},
        of.quantise_bytes...);
  visit(StackField{"misaligned_factor", positive, true,
                   "time of products whose rows are no multiple of 128 bytes over aligned ones"},
        of.misaligned_factor...);
  visit(StackField{"unaligned_factor", positive, true,
                   "time of products whose rows are no multiple of 16 bytes over aligned ones"},
        of.unaligned_factor...);
  visit(
      StackField{
          "unaligned_heads_factor", positive, true,
          "time of attention's products whose heads are no multiple of 16 bytes over aligned ones"},
      of.unaligned_heads_factor...);
  visit(StackField{"mixture_factor", positive, true,
                   "time of experts and their router over that of their kernels"},
        of.mixture_factor...);
  visit(StackField{"mixture_launches", positive, true,
                   "launches of the host for experts and their router over those of others"},
        of.mixture_launches...);
  visit(StackField{"expert_exchange_factor", positive, true,
                   "time of exchanges between experts over what formulas say"},
        of.expert_exchange_factor...);
  visit(StackField{"eager_factor", positive, true,
                   "launches and traffic of operators that no compiler fused over fused ones"},
        of.eager_factor...);
  visit(StackField{"traffic_factor", positive, true,
                   "bytes of element-wise kernels over reading and writing once"},
        of.traffic_factor...);
}

}  // namespace kernel
}  // namespace tofn
