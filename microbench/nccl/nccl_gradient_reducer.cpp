#include "microbench/nccl/nccl_gradient_reducer.hpp"

#include <utility>

#include "microbench/cuda/cuda_call.hpp"
#include "microbench/nccl/nccl_call.hpp"

namespace tofn::bench {
namespace {

/// Makes later work of the stream `later` wait for the work on `earlier` so far. The event can be
/// reused at once, because the wait is for its present state.
void order(cudaStream_t earlier, const Event& event, cudaStream_t later) {
  event.record(earlier);
  check_cuda(cudaStreamWaitEvent(later, event.get(), 0), "cudaStreamWaitEvent");
}

}  // namespace

NcclGradientReducer::NcclGradientReducer(std::shared_ptr<NcclGroup> group, cudaStream_t computation)
    : group_(std::move(group)), computation_(computation) {}

void NcclGradientReducer::start(float* gradients, std::size_t count) {
  or_abort(*group_, [&] {
    order(computation_, computed_, communication_.get());
    check_nccl(ncclAllReduce(gradients, gradients, count, ncclFloat32, ncclSum, group_->comm(),
                             communication_.get()),
               group_->comm(), "ncclAllReduce");
  });
}

void NcclGradientReducer::poll() {
  or_abort(*group_, [&] { group_->check(); });
}

void NcclGradientReducer::finish() { order(communication_.get(), reduced_, computation_); }

}  // namespace tofn::bench
