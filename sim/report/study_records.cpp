#include <algorithm>
#include <array>

#include "sim/report/study_report.hpp"

namespace tofn {
namespace {

Value known(const std::optional<double>& value) { return value ? Value{*value} : Value{}; }
Value known(const std::string& text) { return text.empty() ? Value{} : Value{text}; }
Value whole(std::size_t value) { return static_cast<long long>(value); }

struct Column {
  const char* name;
  Value (*value)(const StudyRow&);
};

constexpr std::array columns{
    Column{"org", [](const StudyRow& r) { return known(r.published.inputs.organisation); }},
    Column{"system", [](const StudyRow& r) { return known(r.published.inputs.system); }},
    Column{"accelerator", [](const StudyRow& r) { return known(r.accelerator); }},
    Column{"accelerators",
           [](const StudyRow& r) { return Value{static_cast<long long>(r.accelerators())}; }},
    Column{"time_to_train_min", [](const StudyRow& r) { return Value{r.minutes}; }},
    Column{"speedup", [](const StudyRow& r) { return Value{r.speedup}; }},
    Column{"efficiency", [](const StudyRow& r) { return Value{r.efficiency}; }},
    Column{"relative_efficiency", [](const StudyRow& r) { return Value{r.relative_efficiency}; }},
    Column{"own_efficiency", [](const StudyRow& r) { return Value{r.own_efficiency}; }},
    Column{"scaling_efficiency", [](const StudyRow& r) { return known(r.scaling_efficiency); }},
    Column{"global_batch_size",
           [](const StudyRow& r) { return Value{r.published.inputs.global_batch}; }},
    Column{"samples_to_converge",
           [](const StudyRow& r) { return known(r.published.outcome.samples); }},
    Column{"steady_step_ms", [](const StudyRow& r) { return known(r.published.outcome.step_ms); }},
};

/// Name of the cluster that holds a row.
std::string cluster_of(const std::optional<ClusterSearch>& search, std::size_t row) {
  if (!search) return {};
  for (const SystemCluster& cluster : search->clusters)
    if (std::find(cluster.members.begin(), cluster.members.end(), row) != cluster.members.end())
      return cluster.name;
  return {};
}

void add_clusters(Records& records, const std::string& rows, const ClusterSearch& search) {
  for (const SystemCluster& cluster : search.clusters)
    records.rows.push_back({rows, whole(search.clusters.size()), search.silhouette, cluster.name,
                            whole(cluster.members.size()), static_cast<long long>(cluster.fewest),
                            static_cast<long long>(cluster.most), cluster.centre_accelerators,
                            cluster.efficiency.low, cluster.efficiency.high,
                            cluster.centre_efficiency});
}

}  // namespace

Records study_records(const StudyAnswer& answer) {
  Records records{.columns = {"benchmark"}, .rows = {}};
  for (const Column& column : columns) records.columns.emplace_back(column.name);
  records.columns.insert(records.columns.end(), {"is_reference", "cluster", "in_every_workload"});
  const auto everywhere = systems_in_every_workload(answer.workloads);
  for (std::size_t w = 0; w < answer.workloads.size(); ++w) {
    const WorkloadStudy& study = answer.workloads[w];
    for (std::size_t i = 0; i < study.rows.size(); ++i) {
      const StudyRow& row = study.rows[i];
      auto& cells = records.rows.emplace_back();
      cells.emplace_back(study.workload);
      for (const Column& column : columns) cells.push_back(column.value(row));
      cells.push_back(whole(i == study.reference ? 1 : 0));
      cells.push_back(known(cluster_of(answer.clusters[w], i)));
      cells.push_back(whole(
          std::binary_search(everywhere.begin(), everywhere.end(), row.published.full_name()) ? 1
                                                                                              : 0));
    }
  }
  return records;
}

Records cluster_records(const StudyAnswer& answer) {
  Records records{
      .columns = {"rows_of", "clusters", "silhouette", "cluster", "systems", "fewest_accelerators",
                  "most_accelerators", "centre_accelerators", "least_relative_efficiency",
                  "greatest_relative_efficiency", "centre_relative_efficiency"},
      .rows = {}};
  for (std::size_t w = 0; w < answer.workloads.size(); ++w)
    if (answer.clusters[w])
      add_clusters(records, answer.workloads[w].workload, *answer.clusters[w]);
  if (answer.all_clusters) add_clusters(records, "all", *answer.all_clusters);
  return records;
}

Records claim_records(const StudyAnswer& answer) {
  Records records{.columns = {"benchmark", "claim", "verdict", "figures"}, .rows = {}};
  for (const JudgedClaim& judged : answer.claims)
    records.rows.push_back({std::string(judged.claim->workload), std::string(judged.claim->words),
                            std::string(to_text(judged.judgement.verdict)),
                            known(judged.judgement.figures)});
  return records;
}

}  // namespace tofn
