#pragma once

#include <list>
#include <memory>

#include "microbench/collective/library_communicator.hpp"
#include "microbench/cuda/stream.hpp"
#include "microbench/nccl/device_communicator.hpp"
#include "microbench/nccl/nccl_backend.hpp"
#include "microbench/nccl/nccl_group.hpp"

namespace tofn::bench {

/// Calls on a stream of their own, timed by events in it.
class NcclCommunicator : public LibraryCommunicator {
 public:
  /// With windows collective over the group. Throws GroupObjection where it has no symmetric
  /// memory, or no device API.
  NcclCommunicator(std::shared_ptr<NcclGroup>, const NcclOptions&);
  Member member() const override { return group_->member(); }
  std::unique_ptr<Buffer> allocate(std::size_t bytes) override;
  Elapsed run(const Call& first, int calls) override;

 private:
  /// The calls of one sample of one trial.
  struct Replay {
    Call first;
    int calls;
    Graph graph;
  };

  Elapsed timed(const Call& first, int calls);
  void enqueue(const Call& first, int calls) const;
  const Graph& graph_of(const Call& first, int calls);
  void wait() const;

  NcclOptions options_;
  std::shared_ptr<NcclGroup> group_;
  std::unique_ptr<DeviceCommunicator> device_;  // of the device API
  CudaStream stream_;
  Event begin_;
  Event end_;
  std::list<Replay> replays_;  // goes before the group, which waits for its graphs to be gone
};

}  // namespace tofn::bench
