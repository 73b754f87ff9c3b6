#pragma once

#include "microbench/collective/trial.hpp"

namespace tofn::bench {

/// A trial whose ranks write the data that they send before each call, outside the clock, as
/// backward passes write gradients. Caches then hold what was last written, not what was
/// communicated.
class ColdTrial : public Timed {
 public:
  ColdTrial(LibraryCommunicator&, Trial&);
  Elapsed run(int calls) override;

 private:
  void align();

  LibraryCommunicator& communicator_;
  Trial& trial_;
  std::unique_ptr<Buffer> one_;  // a single element
};

}  // namespace tofn::bench
