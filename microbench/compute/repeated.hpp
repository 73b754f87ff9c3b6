#pragma once

#include <memory>
#include <utility>

#include "microbench/compute/processor.hpp"

namespace tofn::bench {

/// A kernel given to the processor again and again.
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

}  // namespace tofn::bench
