#include "sim/answers/collective_check_answer.hpp"

#include "sim/core/error.hpp"

namespace tofn {
inline namespace answers {
namespace {

const Cluster& cluster_of(const CollectiveTable& table, const Knowledge& knowledge) {
  if (const Cluster* cluster = knowledge.cluster_of(table)) return *cluster;
  throw InputError({table.file}, "",
                   "name and source do not say which cluster it is: give "
                   "--cluster");
}

}  // namespace

std::vector<JudgedTable> judge_tables(const std::vector<CollectiveTable>& tables,
                                      const Knowledge& knowledge) {
  std::vector<JudgedTable> judged;
  for (const CollectiveTable& table : tables) {
    const Cluster& cluster = cluster_of(table, knowledge);
    judged.push_back(
        {.table = table, .cluster = cluster.name, .judgement = judge(table, cluster, knowledge)});
  }
  return judged;
}

}  // namespace answers
}  // namespace tofn
