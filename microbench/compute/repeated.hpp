#pragma once

#include <memory>
#include <utility>

#include "microbench/compute/processor.hpp"

namespace tofn::bench {

/// A kernel that is enqueued repeatedly, as fast as the host launches it.
class Repeated : public Timed {
 public:
  Repeated(Processor& processor, std::unique_ptr<PreparedKernel> kernel)
      : processor_(processor), kernel_(std::move(kernel)) {}
  Elapsed run(int calls) override {
    return processor_.timed([&] {
      for (int i = 0; i < calls; ++i) kernel_->enqueue();
    });
  }

 private:
  Processor& processor_;
  std::unique_ptr<PreparedKernel> kernel_;
};

/// A kernel that repeats without a launch by the host each time, if the processor has replays.
class Replayed : public Timed {
 public:
  Replayed(Processor& processor, std::unique_ptr<PreparedKernel> kernel)
      : processor_(processor), kernel_(std::move(kernel)) {}
  Elapsed run(int calls) override {
    if (calls == 1 || !processor_.has_replays()) return processor_.timed([&] { enqueue(calls); });
    if (calls != replayed_calls_) {
      replay_ = processor_.replay([&] { enqueue(calls); });
      replayed_calls_ = calls;
    }
    return processor_.timed([&] { replay_->enqueue(); });
  }

 private:
  void enqueue(int calls) {
    for (int i = 0; i < calls; ++i) kernel_->enqueue();
  }

  Processor& processor_;
  std::unique_ptr<PreparedKernel> kernel_;
  std::unique_ptr<PreparedKernel> replay_;
  int replayed_calls_ = 0;
};

}  // namespace tofn::bench
