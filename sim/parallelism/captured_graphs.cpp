#include "sim/parallelism/captured_graphs.hpp"

#include <string>

#include "sim/core/words.hpp"

namespace tofn {
inline namespace parallelism {

CudaGraphs captured_graphs(CudaGraphs request, const Accelerator& chip) {
  const std::string vendor = lower_case(chip.vendor);
  return vendor == "nvidia" || vendor == "amd" ? request : CudaGraphs::None;
}

}  // namespace parallelism
}  // namespace tofn
