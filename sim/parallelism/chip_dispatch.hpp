#pragma once

#include "sim/cluster/accelerator.hpp"
#include "sim/core/words.hpp"
#include "sim/parallelism/plan_choices.hpp"

namespace tofn {
inline namespace parallelism {

/// Returns the exchange of tokens that runs on the chip: the requested one on NVIDIA's chips, for
/// which DeepEP and HybridEP are written (github.com/deepseek-ai/DeepEP: CUDA and NVSHMEM), and the
/// all-to-all on others.
inline ExpertDispatch chip_dispatch(ExpertDispatch request, const Accelerator& chip) {
  return lower_case(chip.vendor) == "nvidia" ? request : ExpertDispatch::AllToAll;
}

}  // namespace parallelism
}  // namespace tofn
