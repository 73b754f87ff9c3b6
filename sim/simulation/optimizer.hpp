#pragma once

#include "sim/simulation/layer_pass.hpp"

namespace tofn {
inline namespace simulation {

/// Parameters of one rank that train, by the ranks that hold the same ones.
struct TrainedParameters {
  double dense = 0;
  double experts = 0;
};

/// One optimizer step on the rank's share of them. Offloaded, gradients travel to the host, which
/// steps, and parameters back.
Seconds optimizer_time(const TrainedParameters&, const Machine&);

}  // namespace simulation
}  // namespace tofn
