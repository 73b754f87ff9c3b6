#pragma once

#include <span>
#include <string>

#include "sim/answers/study_answer.hpp"
#include "sim/core/records.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Text of the efficiency that the largest systems keep, with causes, and of the claims; the
/// details list rows, clusters and evidence.
AnswerText study_text(const StudyAnswer&);

/// Table of the rows of a workload, with their clusters.
std::string study_rows_table(const WorkloadStudy&);
std::string clusters_table(const ClusterSearch&);
/// Columns for a workload's reference and its largest system.
TableColumns<WorkloadStudy> largest_columns();

/// Text comparing the study's printed table with the published one; empty for another table.
std::string printed_text(const StudyAnswer&);

/// Table of the claims with their verdicts.
std::string claims_table(const StudyAnswer&);
/// Text of the claims with the figures that decide them.
std::string claims_text(const StudyAnswer&);

/// Table of the factors of the efficiency from 8 accelerators up, measured and predicted.
std::string losses_text(std::span<const Waterfall>);
/// Table of these factors for each workload's largest system.
std::string largest_losses_text(std::span<const Waterfall>);

/// One row for each row, cluster or claim, or two for each waterfall.
ExplainedRecords study_records(const StudyAnswer&);
ExplainedRecords cluster_records(const StudyAnswer&);
ExplainedRecords claim_records(const StudyAnswer&);
ExplainedRecords loss_records(const StudyAnswer&);

}  // namespace report
}  // namespace tofn
