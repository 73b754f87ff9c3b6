#pragma once

#include <span>
#include <string>

#include "sim/answers/baselines_answer.hpp"
#include "sim/calibration/calibration.hpp"
#include "sim/cluster/cluster.hpp"
#include "sim/cluster/link_family.hpp"
#include "sim/config/file_keys.hpp"
#include "sim/config/hugging_face/hugging_face_types.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/config/load_run.hpp"
#include "sim/core/records.hpp"
#include "sim/core/sourced.hpp"
#include "sim/formats/launchers/load_launcher.hpp"
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
/// `footnote`: text below the table.
template <class Row, class Rows>
Listing listing_of(const TableColumns<Row>& columns, const Rows& rows,
                   const std::string& footnote = "") {
  return {.text = table_text(columns, rows) + footnote, .records = records_of(columns, rows)};
}

Listing list_accelerators(std::span<const Accelerator* const>);
Listing list_clusters(std::span<const Cluster* const>);
Listing list_workloads(std::span<const Workload* const>);
/// Lists models by their dimensions: one sample, forward and backward.
Listing list_models(std::span<const Model>);
/// Lists the known values of `model_type` in a config.json.
Listing list_architectures(std::span<const HuggingFaceType>);
Listing list_plans(std::span<const StatedPlan>);
Listing list_runs(std::span<const StatedRun>);
/// Lists fitted figures with their deviations.
Listing list_stacks(std::span<const KernelProfile>);
/// Lists launchers; `written`: names of those whose files tofn can write.
Listing list_launchers(std::span<const Launcher>, std::span<const std::string> written);
/// Lists link families as fitted.
Listing list_fabrics(std::span<const LinkFamily>);
/// A figure of answers, with the commands whose answers contain it.
struct ListedFigure {
  std::string name;
  std::string unit;
  std::string meaning;
  std::vector<std::string_view> commands;
};
std::vector<ListedFigure> listed_figures();
/// Lists the columns of predictions, comparisons, steps, plans and sweeps: unit, meaning, and the
/// commands that have them.
Listing list_figures();
/// Lists the choices that were made with the errors of a score in view.
Listing list_disclosures();
/// Lists the expected bus bandwidth of a large all-reduce on each cluster.
Listing list_baselines(std::span<const Baseline>);
Listing list_sweeps(std::span<const Sweep>);
/// Lists the keys of kinds of files.
Listing list_fields(std::span<const FileKey>);
/// Lists steps by workload, accelerator and release, with the evaluation and fixed figures of each.
Listing list_calibrations(const Calibration&);

/// Returns `80 GB`, or `80 GB*` if the value is assumed.
template <class Q>
std::string marked(const Sourced<Q>& figure, const std::string& text) {
  return text + (figure.is_assumed() ? "*" : "");
}
/// Footnote on `*` if the text contains one; otherwise empty.
std::string assumed_footnote(const std::string& text);

/// Cell with the source; `assumed` if there is none.
template <class Q>
Value source_of(const Sourced<Q>& figure) {
  return figure.is_assumed() ? std::string("assumed") : figure.source;
}

}  // namespace report
}  // namespace tofn
