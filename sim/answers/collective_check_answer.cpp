#include "sim/answers/collective_check_answer.hpp"

#include "sim/core/error.hpp"
#include "sim/core/file.hpp"

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

std::optional<NcclFacts> nccl_facts(const std::filesystem::path& log) {
  const std::string text = read_text_file(log);
  if (text.find("NCCL INFO") == std::string::npos) return {};
  try {
    return read_nccl_debug(text, log.string());
  } catch (const InputError&) {  // ranks wrote into each other's lines: no matter of the table
    return {};
  }
}

std::vector<JudgedTable> judge_tables(const std::vector<CollectiveTable>& tables,
                                      const Knowledge& knowledge) {
  std::vector<JudgedTable> judged;
  for (const CollectiveTable& table : tables) {
    const Cluster& cluster = cluster_of(table, knowledge);
    judged.push_back({.table = table,
                      .cluster = cluster.name,
                      .judgement = judge(table, cluster, knowledge),
                      .nccl = {}});
  }
  return judged;
}

}  // namespace answers
}  // namespace tofn
