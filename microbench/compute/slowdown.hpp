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

/// Collective: how much longer a product takes while an fp32 all-reduce over all ranks runs beside
/// it: what models of overlap guess. Both are measured in the same rounds. InputError on one rank.
void run_slowdown(Lab&, Processor&, Backend&, const SlowdownCase&);

}  // namespace tofn::bench
