#include "microbench/collective/cold_trial.hpp"

namespace tofn::bench {
namespace {

const ElementType& counted_type() { return element_type("int32", "type"); }

}  // namespace

ColdTrial::ColdTrial(LibraryCommunicator& communicator, Trial& trial)
    : communicator_(communicator),
      trial_(trial),
      one_(communicator.allocate(static_cast<std::size_t>(counted_type().bytes))) {
  one_->write(0, std::vector<std::byte>(one_->size()));
}

Elapsed ColdTrial::run(int calls) {
  Elapsed all;
  for (int i = 0; i < calls; ++i) {
    trial_.rewrite();
    align();
    const Elapsed call = trial_.run(1);
    all.host += call.host;
    if (call.device) all.device = all.device.value_or(0) + *call.device;
  }
  return all;
}

/// Aligns the ranks, which write at their own pace: none leaves an all-reduce before all have come.
void ColdTrial::align() {
  communicator_.run({.operation = &operation("all-reduce"),
                     .type = &counted_type(),
                     .send = one_->data(),
                     .receive = one_->data(),
                     .chunk = 1},
                    1);
}

}  // namespace tofn::bench
