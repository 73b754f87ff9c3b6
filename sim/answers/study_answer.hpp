#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "sim/evidence/shipped.hpp"
#include "sim/study/claims.hpp"
#include "sim/study/clusters.hpp"
#include "sim/study/waterfall.hpp"
#include "sim/study/workload_study.hpp"

namespace tofn {
inline namespace answers {

/// A study of one table of published rows.
struct StudyAnswer {
  std::vector<WorkloadStudy> workloads;
  std::vector<std::optional<ClusterSearch>> clusters;  ///< best clustering of each workload
  std::optional<WorkloadStudy> together;  ///< rows of all workloads; absent if there is only one
  std::optional<ClusterSearch> all_clusters;  ///< clustering of the rows of all workloads
  std::vector<JudgedClaim> claims;
  std::vector<Waterfall> losses;
  std::size_t rows_without_time = 0;  ///< rows left out because they have no time
  bool is_the_studys_table = false;   ///< the table is the whole one that the study used
};

/// Rows under the names that the library knows; a name that it does not know stays as it is.
std::vector<NamedRow> named_rows(const std::vector<PublishedRow>&, const Library&);

/// Studies rows, clusters and claims, but no losses, which need predictions. If `clusters` is
/// absent, the greatest silhouette decides their number.
StudyAnswer study_of(const std::vector<NamedRow>&, std::optional<int> clusters, std::uint64_t seed);

/// Losses of the studied workloads, for the rows that have a prediction.
std::vector<Waterfall> losses_of(const std::filesystem::path& table,
                                 const std::vector<NamedRow>& studied, Shipped&);

}  // namespace answers
}  // namespace tofn
