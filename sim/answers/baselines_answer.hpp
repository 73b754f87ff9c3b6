#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/core/quantity.hpp"

namespace tofn {
inline namespace answers {

/// What a large all-reduce should give on so many whole nodes of a cluster, as nccl-tests counts
/// bus bandwidth.
struct Baseline {
  std::string cluster;
  std::string accelerator;
  int nodes = 0;
  int ranks = 0;
  Bytes size;
  BytesPerSecond usual;    ///< likeliest
  BytesPerSecond to_pass;  ///< one healthy system in twenty is below
  int tables = 0;          ///< of its own system that taught it
};

/// One node, two and eight of every cluster that NCCL or what follows it serves; of a cluster
/// without a network one.
std::vector<Baseline> baselines(const std::filesystem::path& configs);

}  // namespace answers
}  // namespace tofn
