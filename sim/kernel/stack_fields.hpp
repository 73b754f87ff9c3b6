#pragma once

#include <string_view>

#include "sim/core/range.hpp"
#include "sim/kernel/kernel_profile.hpp"

// The figures that a stack's file states, a row each: reading and sensitivity walk these. Those of
// them that measured steps teach are `stack_figures`.

namespace tofn {
inline namespace kernel {

struct StackField {
  std::string_view key;
  Range range;
  bool may_be_absent = false;  ///< a factor, then 1
};

/// Calls `visit(field, figure...)` for each, with the figures of `of...`.
template <class Visit, class... Profiles>
void visit_stack(const Visit& visit, Profiles&... of) {
  using namespace range;
  constexpr Range zero_to_one{0, 1, false, "must be from 0 to 1"};
  visit(StackField{"gemm_efficiency", share}, of.gemm_efficiency...);
  visit(StackField{"best_product_share", share}, of.best_product_share...);
  visit(StackField{"fused_attention_efficiency", share}, of.fused_attention_efficiency...);
  visit(StackField{"memory_efficiency", share}, of.memory_efficiency...);
  visit(StackField{"kernel_start", not_negative}, of.kernel_start...);
  visit(StackField{"host_per_kernel", not_negative}, of.host_per_kernel...);
  visit(StackField{"overlap_slowdown", zero_to_one}, of.overlap_slowdown...);
  visit(StackField{"optimizer_bytes", positive}, of.optimizer_bytes...);
  visit(StackField{"gradient_bytes", positive}, of.gradient_bytes...);
  visit(StackField{"parameter_bytes", positive}, of.parameter_bytes...);
  visit(StackField{"gradient_bucket", positive}, of.gradient_bucket...);
  visit(StackField{"host_memory_bandwidth", positive}, of.host_memory_bandwidth...);
  visit(StackField{"rank_noise", not_negative}, of.rank_noise...);
  visit(StackField{"fp8_efficiency", positive, true}, of.fp8_efficiency...);
  visit(StackField{"misaligned_factor", positive, true}, of.misaligned_factor...);
  visit(StackField{"unaligned_factor", positive, true}, of.unaligned_factor...);
  visit(StackField{"unaligned_heads_factor", positive, true}, of.unaligned_heads_factor...);
  visit(StackField{"mixture_factor", positive, true}, of.mixture_factor...);
  visit(StackField{"traffic_factor", positive, true}, of.traffic_factor...);
}

}  // namespace kernel
}  // namespace tofn
