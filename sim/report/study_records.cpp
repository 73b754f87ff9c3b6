#include <algorithm>

#include "sim/report/study_report.hpp"

namespace tofn {
inline namespace report {
namespace {

/// A row with what the study of its workload found of it.
struct FoundRow {
  const WorkloadStudy* study;
  const StudyRow* row;
  std::string cluster;
  bool is_in_every_workload;
};

/// Name of the cluster that holds a row.
std::string cluster_of(const std::optional<ClusterSearch>& search, std::size_t row) {
  if (!search) return {};
  for (const SystemCluster& cluster : search->clusters)
    if (std::find(cluster.members.begin(), cluster.members.end(), row) != cluster.members.end())
      return cluster.name;
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

}  // namespace

Records study_records(const StudyAnswer& answer) {
  using Row = FoundRow;
  const Columns<Row> columns{
      {"benchmark", of_its(&Row::study, &WorkloadStudy::workload)},
      {"org", study_of_inputs(of_its(&RowInputs::organisation, known))},
      {"system", study_of_inputs(of_its(&RowInputs::system, known))},
      {"accelerator", of_row(of_its(&StudyRow::accelerator, known))},
      {"accelerators", of_row(&StudyRow::accelerators)},
      {"time_to_train_min", of_row(&StudyRow::minutes)},
      {"speedup", of_row(&StudyRow::speedup)},
      {"efficiency", of_row(&StudyRow::efficiency)},
      {"relative_efficiency", of_row(&StudyRow::relative_efficiency)},
      {"own_efficiency", of_row(&StudyRow::own_efficiency)},
      {"scaling_efficiency", of_row(&StudyRow::scaling_efficiency)},
      {"global_batch_size", study_of_inputs(&RowInputs::global_batch)},
      {"samples_to_converge", study_of_outcome(&RowOutcome::samples)},
      {"steady_step_ms", study_of_outcome(&RowOutcome::step_ms)},
      {"is_reference", [](const Row& r) { return r.row == &r.study->reference_row(); }},
      {"cluster", of_its(&Row::cluster, known)},
      {"in_every_workload", &Row::is_in_every_workload}};
  return records_of(columns, found_rows(answer));
}

Records cluster_records(const StudyAnswer& answer) {
  using Row = FoundCluster;
  const Columns<Row> columns{
      {"rows_of", &Row::rows_of},
      {"clusters", [](const Row& r) { return r.search->clusters.size(); }},
      {"silhouette", of_its(&Row::search, &ClusterSearch::silhouette)},
      {"cluster", of_cluster(&SystemCluster::name)},
      {"systems", of_cluster([](const SystemCluster& c) { return c.members.size(); })},
      {"fewest_accelerators", of_cluster(&SystemCluster::fewest)},
      {"most_accelerators", of_cluster(&SystemCluster::most)},
      {"centre_accelerators", of_cluster(&SystemCluster::centre_accelerators)},
      {"least_relative_efficiency", of_cluster(of_its(&SystemCluster::efficiency, &Interval::low))},
      {"greatest_relative_efficiency",
       of_cluster(of_its(&SystemCluster::efficiency, &Interval::high))},
      {"centre_relative_efficiency", of_cluster(&SystemCluster::centre_efficiency)}};
  return records_of(columns, found_clusters(answer));
}

Records claim_records(const StudyAnswer& answer) {
  using Row = JudgedClaim;
  const Columns<Row> columns{{"benchmark", of_its(&Row::claim, &Claim::workload)},
                             {"claim", of_its(&Row::claim, &Claim::words)},
                             {"verdict", of_its(&Row::judgement, &ClaimJudgement::verdict)},
                             {"figures", [](const Row& r) { return known(r.judgement.figures); }}};
  return records_of(columns, answer.claims);
}

}  // namespace report
}  // namespace tofn
