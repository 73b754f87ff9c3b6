#include "sim/answers/study_answer.hpp"

#include <algorithm>

namespace tofn {
inline namespace answers {

std::vector<NamedRow> named_rows(const std::vector<PublishedRow>& rows, const Library& library) {
  std::vector<NamedRow> named;
  for (const PublishedRow& row : rows) {
    const Workload* workload = library.find_workload(row.inputs.benchmark);
    const Accelerator* accelerator = library.find_accelerator(row.inputs.accelerator);
    named.push_back(
        {.row = row,
         .workload = workload != nullptr ? workload->name : row.inputs.benchmark,
         .accelerator = accelerator != nullptr ? accelerator->name : row.inputs.accelerator});
  }
  return named;
}

StudyAnswer study_of(const std::vector<NamedRow>& rows, std::optional<int> clusters,
                     std::uint64_t seed) {
  StudyAnswer answer;
  answer.workloads = study_workloads(rows);
  answer.rows_without_time = static_cast<std::size_t>(std::ranges::count_if(
      rows, [](const NamedRow& row) { return !row.row.outcome.official_minutes; }));
  WorkloadStudy together{.workload = "all", .rows = {}};
  for (const WorkloadStudy& study : answer.workloads) {
    answer.clusters.push_back(cluster_systems(study.rows, clusters, seed));
    together.rows.insert(together.rows.end(), study.rows.begin(), study.rows.end());
  }
  if (answer.workloads.size() > 1) {
    answer.all_clusters = cluster_systems(together.rows, clusters, seed);
    answer.together = std::move(together);
  }
  answer.claims = judge_claims(answer.workloads);
  return answer;
}

std::vector<Waterfall> losses_of(const std::filesystem::path& table,
                                 const std::vector<NamedRow>& studied, Shipped& shipped) {
  auto found = waterfalls(backtest(shipped.resolved(table), shipped.rows(), {}));
  std::erase_if(found, [&](const Waterfall& each) {
    return std::ranges::none_of(studied,
                                [&](const NamedRow& row) { return row.workload == each.workload; });
  });
  return found;
}

}  // namespace answers
}  // namespace tofn
