#pragma once

#include <deque>
#include <span>
#include <vector>

#include "sim/config/library.hpp"
#include "sim/published/backtest.hpp"

namespace tofn {
inline namespace config {

/// Finds the workloads, accelerators and clusters that published rows name. A row with an unknown
/// benchmark or accelerator, or whose plan does not fit, gets the reason instead of a run. A
/// cluster without a file is made from the row's values and the accelerator's default fabric,
/// marked `assumed`. Such clusters live in the resolver, so it must outlive the rows.
class Resolver {
 public:
  explicit Resolver(const Library& library) : library_(library) {}

  ResolvedRow resolve(const PublishedRow&);
  std::vector<ResolvedRow> resolve(std::span<const PublishedRow>);

 private:
  const Cluster& cluster_for(const RowInputs&, const Accelerator&);

  const Library& library_;
  std::deque<Cluster> made_up_;
};

}  // namespace config
}  // namespace tofn
