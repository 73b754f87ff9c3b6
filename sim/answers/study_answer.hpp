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
  std::vector<std::optional<ClusterSearch>> clusters;  ///< of each workload
  std::optional<WorkloadStudy> together;      ///< rows of all workloads; absent: there is only one
  std::optional<ClusterSearch> all_clusters;  ///< of those
  std::vector<JudgedClaim> claims;
  std::vector<Waterfall> losses;
  std::size_t rows_without_time = 0;  ///< left out
  bool is_the_studys_table = false;   ///< the whole of the table that the study was made of
};

/// Rows under the names that the library knows, as given where it knows none.
std::vector<NamedRow> named_rows(const std::vector<PublishedRow>&, const Library&);

/// Rows, clusters (their number absent: by the greatest silhouette) and claims; without losses,
/// which need predictions.
StudyAnswer study_of(const std::vector<NamedRow>&, std::optional<int> clusters, std::uint64_t seed);

/// Losses of the workloads that are studied, where a prediction stands beside them.
std::vector<Waterfall> losses_of(const std::filesystem::path& table,
                                 const std::vector<NamedRow>& studied, Shipped&);

}  // namespace answers
}  // namespace tofn
