#pragma once

#include <deque>
#include <span>
#include <vector>

#include "sim/config/library.hpp"
#include "sim/published/backtest.hpp"

namespace tofn {
inline namespace config {

/// Finds what the names of published rows stand for. A row that names an unknown benchmark or
/// accelerator, or whose plan does not fit, keeps the reason instead of a run. Clusters that no
/// file describes are made up from the row's own facts and the accelerator's usual fabric, as
/// `assumed`; they live in the resolver, so it must outlive the rows.
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
