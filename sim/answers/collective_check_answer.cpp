#include "sim/answers/collective_check_answer.hpp"

#include <algorithm>
#include <iterator>

#include "sim/core/error.hpp"
#include "sim/core/file.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Absent if the text has no line of NCCL's.
std::optional<NcclFacts> nccl_facts(const std::string& text, const std::string& file) {
  if (text.find("NCCL INFO") == std::string::npos) return {};
  try {
    return read_nccl_debug(text, file);
  } catch (
      const InputError&) {  // ranks wrote into each other's lines, which does not affect the table
    return {};
  }
}

}  // namespace

bool JudgedTable::is_normal() const {
  return table.wrong_results.empty() && judgement.is_normal() &&
         std::ranges::none_of(slowdowns, [](const NcclSlowdown& each) { return each.is_grave; });
}

void add_words_of_log(std::vector<JudgedTable>& judged, const std::filesystem::path& log) {
  const std::string text = read_text_file(log);
  const auto facts = nccl_facts(text, log.string());
  const auto slowdowns = slowdowns_in(text);
  for (JudgedTable& each : judged) {
    if (each.table.file != log.filename()) continue;
    each.nccl = facts;
    if (facts)
      std::erase_if(each.judgement.likely, [&](const LikelyCause& likely) {
        return likely.cause != nullptr && likely.cause->is_refuted != nullptr &&
               likely.cause->is_refuted(*facts);
      });
    const bool is_inside = each.table.nodes == 1;
    std::ranges::copy_if(slowdowns, std::back_inserter(each.slowdowns),
                         [&](const NcclSlowdown& slowdown) {
                           return is_inside ? slowdown.inside_node : slowdown.between_nodes;
                         });
  }
}

JudgedTable judge_table(const CollectiveTable& table, const Cluster& cluster,
                        std::string cluster_by, const Knowledge& knowledge) {
  return {.table = table,
          .cluster = cluster.name,
          .cluster_by = std::move(cluster_by),
          .judgement = judge(table, cluster, knowledge),
          .nccl = {}};
}

}  // namespace answers
}  // namespace tofn
