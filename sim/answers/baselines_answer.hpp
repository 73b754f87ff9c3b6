#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/core/quantity.hpp"

namespace tofn {
inline namespace answers {

/// Bus bandwidth, as nccl-tests counts it, that a large all-reduce should reach on whole nodes of a
/// cluster.
struct Baseline {
  std::string cluster;
  std::string accelerator;
  int nodes = 0;
  int ranks = 0;
  Bytes size;
  BytesPerSecond typical;  ///< most likely value
  BytesPerSecond to_pass;  ///< only one healthy system in twenty is below it
  int tables = 0;          ///< number of the system's own tables in the estimate
};

/// Returns the baselines of 1, 2 and 8 nodes of each cluster without a torus; a cluster without a
/// network gets one node only.
std::vector<Baseline> baselines(const std::filesystem::path& configs);

}  // namespace answers
}  // namespace tofn
