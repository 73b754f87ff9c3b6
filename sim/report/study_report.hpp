#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/report/records.hpp"
#include "sim/study/claims.hpp"
#include "sim/study/clusters.hpp"
#include "sim/study/waterfall.hpp"
#include "sim/study/workload_study.hpp"

namespace tofn {

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

/// Rows and clusters of each workload, then the claims.
std::string study_text(const StudyAnswer&);

/// What the study prints of its table beside what the table has; empty for another table.
std::string printed_text(const StudyAnswer&);

/// Each claim with its verdict and figures.
std::string claims_text(const StudyAnswer&);

/// What each factor keeps of the efficiency from 8 accelerators up, measured and predicted.
std::string losses_text(std::span<const Waterfall>);

/// One record per row, per cluster, per claim, or two per waterfall.
Records study_records(const StudyAnswer&);
Records cluster_records(const StudyAnswer&);
Records claim_records(const StudyAnswer&);
Records loss_records(const StudyAnswer&);

}  // namespace tofn
