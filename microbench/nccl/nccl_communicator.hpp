#pragma once

#include <list>
#include <memory>

#include "microbench/collective/library_communicator.hpp"
#include "microbench/cuda/stream.hpp"
#include "microbench/nccl/device_communicator.hpp"
#include "microbench/nccl/nccl_backend.hpp"
#include "microbench/nccl/nccl_group.hpp"

namespace tofn::bench {

/// Makes calls on its own stream, timed by events.
class NcclCommunicator : public LibraryCommunicator {
 public:
  /// Collective over the group if the options have windows. Throws GroupObjection if the group has
  /// no symmetric memory, or no device API.
  NcclCommunicator(std::shared_ptr<NcclGroup>, const NcclOptions&);
  Member member() const override { return group_->member(); }
  std::unique_ptr<Buffer> allocate(std::size_t bytes) override;
  Elapsed run(const Call& first, int calls) override;

 private:
  /// Graph of the calls of one sample of one trial.
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
  std::unique_ptr<DeviceCommunicator> device_;  // null without the device API
  CudaStream stream_;
  Event begin_;
  Event end_;
  std::list<Replay> replays_;  // destroyed before the group, which waits for its graphs
};

}  // namespace tofn::bench
