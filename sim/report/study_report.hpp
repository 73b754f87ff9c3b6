#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/report/records.hpp"
#include "sim/study/claims.hpp"
#include "sim/study/clusters.hpp"
#include "sim/study/study.hpp"

namespace tofn {

/// A study of one table of published rows.
struct StudyAnswer {
  std::vector<WorkloadStudy> workloads;
  std::vector<std::optional<ClusterSearch>> clusters;  ///< of each workload
  std::optional<WorkloadStudy> together;      ///< rows of all workloads; absent: there is only one
  std::optional<ClusterSearch> all_clusters;  ///< of those
  std::vector<JudgedClaim> claims;
  bool is_the_studys_table = false;  ///< the whole of the table that the study was made of
};

/// Rows and clusters of each workload, then the claims.
std::string study_text(const StudyAnswer&);

/// What the study prints of its table beside what the table has; empty for another table.
std::string printed_text(const StudyAnswer&);

/// Each claim with its verdict and figures.
std::string claims_text(const StudyAnswer&);

/// One record per row, per cluster or per claim.
Records study_records(const StudyAnswer&);
Records cluster_records(const StudyAnswer&);
Records claim_records(const StudyAnswer&);

}  // namespace tofn
