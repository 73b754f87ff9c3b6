#pragma once

#include <span>
#include <string>

#include "sim/answers/study_answer.hpp"
#include "sim/core/records.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// What the largest systems keep, why, and the claims; rows, clusters and evidence stand in the
/// details.
AnswerText study_text(const StudyAnswer&);

/// The rows of a workload, and the clusters among them.
std::string study_rows_table(const WorkloadStudy&);
std::string clusters_table(const ClusterSearch&);
/// A workload's reference and its largest system.
TableColumns<WorkloadStudy> largest_columns();

/// What the study prints of its table beside what the table has; empty for another table.
std::string printed_text(const StudyAnswer&);

/// Each claim with its verdict.
std::string claims_table(const StudyAnswer&);
/// The same with the figures that decide it.
std::string claims_text(const StudyAnswer&);

/// What each factor keeps of the efficiency from 8 accelerators up, measured and predicted.
std::string losses_text(std::span<const Waterfall>);
/// The same of each workload's largest system.
std::string largest_losses_text(std::span<const Waterfall>);

/// One record per row, per cluster, per claim, or two per waterfall.
ExplainedRecords study_records(const StudyAnswer&);
ExplainedRecords cluster_records(const StudyAnswer&);
ExplainedRecords claim_records(const StudyAnswer&);
ExplainedRecords loss_records(const StudyAnswer&);

}  // namespace report
}  // namespace tofn
