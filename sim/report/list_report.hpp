#pragma once

#include <span>
#include <string>

#include "sim/answers/baselines_answer.hpp"
#include "sim/calibration/calibration.hpp"
#include "sim/cluster/cluster.hpp"
#include "sim/cluster/link_family.hpp"
#include "sim/config/file_keys.hpp"
#include "sim/config/hugging_face_architectures.hpp"
#include "sim/config/load_launcher.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/config/load_run.hpp"
#include "sim/core/records.hpp"
#include "sim/core/sourced.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/model.hpp"
#include "sim/report/table_columns.hpp"
#include "sim/sweep/sweep_file.hpp"
#include "sim/workload/workload.hpp"

namespace tofn {
inline namespace report {

/// A list for people and for machines.
struct Listing {
  std::string text;
  ExplainedRecords records;
};
/// `footnote`: what stands below the table.
template <class Row, class Rows>
Listing listing_of(const TableColumns<Row>& columns, const Rows& rows,
                   const std::string& footnote = "") {
  return {.text = table_text(columns, rows) + footnote, .records = records_of(columns, rows)};
}

Listing list_accelerators(std::span<const Accelerator* const>);
Listing list_clusters(std::span<const Cluster* const>);
Listing list_workloads(std::span<const Workload* const>);
/// By their dimensions: one sample, forward and backward.
Listing list_models(std::span<const Model>);
/// What `model_type` of a config.json may be.
Listing list_architectures(std::span<const HuggingFaceType>);
Listing list_plans(std::span<const PlanFile>);
Listing list_runs(std::span<const RunFile>);
/// Figures as learnt, with their deviations.
Listing list_stacks(std::span<const KernelProfile>);
/// `written`: names of those whose files are written too.
Listing list_launchers(std::span<const Launcher>, std::span<const std::string> written);
/// Families of links, as learnt.
Listing list_fabrics(std::span<const LinkFamily>);
/// Every column of predictions, comparisons, steps, plans and sweeps: unit, meaning, whose it is.
Listing list_figures();
/// What was chosen with the errors of a score in view.
Listing list_disclosures();
/// What a large collective should give on each cluster.
Listing list_baselines(std::span<const Baseline>);
Listing list_sweeps(std::span<const Sweep>);
/// Keys of kinds of files.
Listing list_fields(std::span<const FileKey>);
/// Steps per workload, accelerator and release, with the evaluation and fixed figures of each.
Listing list_calibrations(const Calibration&);

/// `80 GB`, or `80 GB*` where the value is assumed.
template <class Q>
std::string marked(const Sourced<Q>& figure, const std::string& text) {
  return text + (figure.is_assumed() ? "*" : "");
}
/// The footnote of `*`, where the text has one.
std::string assumed_footnote(const std::string& text);

/// The source as a cell; `assumed` where there is none.
template <class Q>
Value source_of(const Sourced<Q>& figure) {
  return figure.is_assumed() ? std::string("assumed") : figure.source;
}

}  // namespace report
}  // namespace tofn
