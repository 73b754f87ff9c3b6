#pragma once

#include <memory>

#include "microbench/collective/gradient_reducer.hpp"
#include "microbench/cuda/stream.hpp"
#include "microbench/nccl/nccl_group.hpp"

namespace tofn::bench {

/// All-reduces on their own stream, each after the computation enqueued before it.
class NcclGradientReducer : public GradientReducer {
 public:
  NcclGradientReducer(std::shared_ptr<NcclGroup> group, cudaStream_t computation);
  void start(float* gradients, std::size_t count) override;
  void poll() override;
  void finish() override;

 private:
  std::shared_ptr<NcclGroup> group_;
  cudaStream_t computation_;
  CudaStream communication_;
  Event computed_;
  Event reduced_;
};

}  // namespace tofn::bench
