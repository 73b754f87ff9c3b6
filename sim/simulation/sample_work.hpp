#pragma once

#include "sim/core/quantity.hpp"
#include "sim/model/model.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace simulation {

/// Arithmetic of one sample over all ranks that share it.
struct SampleWork {
  Flops model;
  Flops hardware;    ///< includes `recomputed`; 0 if only the layers of a workload are known
  Flops recomputed;  ///< forward work that backward runs again
  Flops forward;
  double parameter_flops = 0;    ///< per token: 6 per parameter that it uses, 4 per frozen one
  double active_parameters = 0;  ///< that one token goes through
  double sequence_length = 0;    ///< 0 if samples are no texts
};
SampleWork sample_work(const Model&, const Plan&);

}  // namespace simulation
}  // namespace tofn
