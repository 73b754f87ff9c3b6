#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/measurements/collective_table.hpp"
#include "sim/measurements/nccl_debug.hpp"
#include "sim/measurements/nccl_hindrances.hpp"
#include "sim/validation/judge.hpp"

namespace tofn {
inline namespace answers {

/// A measured table, and whether it is what its cluster should give.
struct JudgedTable {
  CollectiveTable table;
  std::string cluster;
  TableJudgement judgement;
  std::optional<NcclFacts> nccl;  ///< what the log says of NCCL's choices (NCCL_DEBUG=INFO)
  std::vector<NcclHindrance> hindrances{};  ///< what it says that slows these ranks

  /// Neither slow nor impossible, and no links lie idle by the log's own word.
  bool is_normal() const;
};

/// Adds what the log says of NCCL and of its settings to the tables that were read from it.
void add_words_of_log(std::vector<JudgedTable>&, const std::filesystem::path& log);

/// What the logs say is left to add_words_of_log. InputError at a table of which nobody knows the
/// cluster.
std::vector<JudgedTable> judge_tables(const std::vector<CollectiveTable>&, const Knowledge&);

}  // namespace answers
}  // namespace tofn
