#include <algorithm>

#include <fmt/format.h>

#include "sim/report/figure_text.hpp"
#include "sim/report/study_report.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {
namespace {

/// A row with the results of its workload's study.
struct FoundRow {
  const WorkloadStudy* study;
  const StudyRow* row;
  std::string cluster;
  bool is_in_every_workload;
};

/// Name of the cluster that contains a row.
std::string cluster_of(const std::optional<ClusterSearch>& search, std::size_t row) {
  if (!search) return {};
  for (const SystemCluster& cluster : search->clusters)
    if (std::ranges::find(cluster.members, row) != cluster.members.end()) return cluster.name;
  return {};
}

std::vector<FoundRow> found_rows(const StudyAnswer& answer) {
  const auto everywhere = systems_in_every_workload(answer.workloads);
  std::vector<FoundRow> rows;
  for (std::size_t w = 0; w < answer.workloads.size(); ++w) {
    const WorkloadStudy& study = answer.workloads[w];
    for (std::size_t i = 0; i < study.rows.size(); ++i)
      rows.push_back(
          {.study = &study,
           .row = &study.rows[i],
           .cluster = cluster_of(answer.clusters[w], i),
           .is_in_every_workload = std::binary_search(everywhere.begin(), everywhere.end(),
                                                      study.rows[i].published.full_name())});
  }
  return rows;
}

template <class Figure>
auto of_row(Figure figure) {
  return of_its(&FoundRow::row, figure);
}
template <class Figure>
auto study_of_inputs(Figure figure) {
  return of_its(&FoundRow::row, &StudyRow::published, &PublishedRow::inputs, figure);
}
template <class Figure>
auto study_of_outcome(Figure figure) {
  return of_its(&FoundRow::row, &StudyRow::published, &PublishedRow::outcome, figure);
}

/// A cluster with the search that found it.
struct FoundCluster {
  std::string rows_of;
  const ClusterSearch* search;
  const SystemCluster* cluster;
};

std::vector<FoundCluster> found_clusters(const StudyAnswer& answer) {
  std::vector<FoundCluster> found;
  const auto add = [&](const std::string& rows, const std::optional<ClusterSearch>& search) {
    if (!search) return;
    for (const SystemCluster& cluster : search->clusters)
      found.push_back({.rows_of = rows, .search = &*search, .cluster = &cluster});
  };
  for (std::size_t w = 0; w < answer.workloads.size(); ++w)
    add(answer.workloads[w].workload, answer.clusters[w]);
  add("all", answer.all_clusters);
  return found;
}

template <class Figure>
auto of_cluster(Figure figure) {
  return of_its(&FoundCluster::cluster, figure);
}

std::string minutes_text(double value) { return fmt::format("{:.{}f}", value, value < 10 ? 3 : 2); }

TableColumns<FoundRow> row_columns() {
  using Row = FoundRow;
  const auto name = [](const Row& r) { return r.row->published.full_name(); };
  const auto chip = [](const Row& r) { return r.row->accelerator; };
  return {
      {"benchmark", of_its(&Row::study, &WorkloadStudy::workload)},
      {"org", study_of_inputs(of_its(&RowInputs::organisation, known))},
      {"system", study_of_inputs(of_its(&RowInputs::system, known)), left("system", name)},
      {"accelerator", of_row(of_its(&StudyRow::accelerator, known)), left("chip", chip)},
      {"accelerators", of_row(&StudyRow::accelerators), right("N")},
      {"time_to_train_min", of_row(&StudyRow::minutes), right("min", minutes_text)},
      {"speedup", of_row(&StudyRow::speedup), right("speedup", "{:.2f}")},
      {"efficiency", of_row(&StudyRow::efficiency)},
      {"relative_efficiency", of_row(&StudyRow::relative_efficiency), right("E'", "{:.3f}"),
       "(T_ref / T) / (N / N_ref)"},
      {"own_efficiency", of_row(&StudyRow::own_efficiency), right("own", "{:.3f}"),
       "(T_ref / T) / (N / N_ref) with the reference system among those of the same chip"},
      {"scaling_efficiency", of_row(&StudyRow::scaling_efficiency), right("SE", "{:.3f}"),
       "E(N) / E(N_base), against the median of one server"},
      {"global_batch_size", study_of_inputs(&RowInputs::global_batch), right("batch", "{:g}"),
       "samples of a step"},
      {"samples_to_converge", study_of_outcome(&RowOutcome::samples),
       right("samples", samples_text), "mean samples to the target over the runs"},
      {"steady_step_ms", study_of_outcome(&RowOutcome::step_ms), right("step ms", "{:.1f}"),
       "time of a step in the log, in milliseconds"},
      {"is_reference", [](const Row& r) { return r.row == &r.study->reference_row(); },
       "1 for the reference system"},
      {"cluster", of_its(&Row::cluster, known)},
      {"in_every_workload", &Row::is_in_every_workload, "1 where the system ran every benchmark"}};
}

TableColumns<FoundCluster> cluster_columns() {
  using Row = FoundCluster;
  const auto sizes = [](const Row& r) {
    const SystemCluster& c = *r.cluster;
    return c.fewest == c.most ? fmt::format("{}", c.most)
                              : fmt::format("{} to {}", c.fewest, c.most);
  };
  const auto efficiencies = [](const Row& r) {
    const Interval& range = r.cluster->efficiency;
    return fmt::format("{:.3f} to {:.3f}", range.low, range.high);
  };
  return {
      {"rows_of", &Row::rows_of, "rows that were clustered"},
      {"clusters", [](const Row& r) { return r.search->clusters.size(); },
       "number of clusters that fits best"},
      {"silhouette", of_its(&Row::search, &ClusterSearch::silhouette),
       "separation of the clusters: -1 to 1"},
      {"cluster", of_cluster(&SystemCluster::name), left("cluster")},
      {"systems", of_cluster([](const SystemCluster& c) { return c.members.size(); }),
       right("systems"), "systems of the cluster"},
      {"fewest_accelerators", of_cluster(&SystemCluster::fewest), right("N", sizes),
       "fewest accelerators of the cluster's systems"},
      {"most_accelerators", of_cluster(&SystemCluster::most),
       "most accelerators of the cluster's systems"},
      {"centre_accelerators", of_cluster(&SystemCluster::centre_accelerators),
       right("centre", "{:.1f}"), "accelerators at the cluster's centre"},
      {"least_relative_efficiency", of_cluster(of_its(&SystemCluster::efficiency, &Interval::low)),
       right("E'", efficiencies), "least relative efficiency of the cluster's systems"},
      {"greatest_relative_efficiency",
       of_cluster(of_its(&SystemCluster::efficiency, &Interval::high)),
       "greatest relative efficiency of the cluster's systems"},
      {"centre_relative_efficiency", of_cluster(&SystemCluster::centre_efficiency),
       right("centre", "{:.3f}"), "relative efficiency at the cluster's centre"}};
}

}  // namespace

std::string study_rows_table(const WorkloadStudy& study) {
  std::vector<FoundRow> rows;
  for (const StudyRow& row : study.rows)
    rows.push_back({.study = &study, .row = &row, .cluster = {}, .is_in_every_workload = false});
  return table_text(row_columns(), rows);
}

std::string clusters_table(const ClusterSearch& search) {
  std::vector<FoundCluster> rows;
  for (const SystemCluster& cluster : search.clusters)
    rows.push_back({.rows_of = {}, .search = &search, .cluster = &cluster});
  return table_text(cluster_columns(), rows);
}

ExplainedRecords study_records(const StudyAnswer& answer) {
  return with_words_of(largest_columns(), records_of(row_columns(), found_rows(answer)));
}

ExplainedRecords cluster_records(const StudyAnswer& answer) {
  return records_of(cluster_columns(), found_clusters(answer));
}

ExplainedRecords claim_records(const StudyAnswer& answer) {
  using Row = JudgedClaim;
  const TableColumns<Row> columns{
      {"benchmark", of_its(&Row::claim, &Claim::workload)},
      {"claim", of_its(&Row::claim, &Claim::words), "claim of the published study"},
      {"verdict", of_its(&Row::judgement, &ClaimJudgement::verdict), "whether the claim holds"},
      {"figures", [](const Row& r) { return known(r.judgement.figures); },
       "figures that judge the claim"}};
  return records_of(columns, answer.claims);
}

}  // namespace report
}  // namespace tofn
