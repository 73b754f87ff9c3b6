#pragma once

#include <string>

#include "microbench/collective/backend.hpp"
#include "microbench/compute/processor.hpp"
#include "microbench/compute/shape.hpp"
#include "microbench/harness/lab.hpp"

namespace tofn::bench {

struct SlowdownCase {
  std::string type;  ///< of the product
  GemmShape shape;
  double bytes = 0;  ///< of the all-reduce beside it
};

/// Measures how much longer a product takes beside an fp32 all-reduce over all ranks, which models
/// of overlap otherwise guess. Both are measured in the same rounds. Collective. InputError on one
/// rank.
void run_slowdown(Lab&, Processor&, Backend&, const SlowdownCase&);

}  // namespace tofn::bench
