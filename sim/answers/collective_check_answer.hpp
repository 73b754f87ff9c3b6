#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/measurements/collective_table.hpp"
#include "sim/measurements/nccl_debug.hpp"
#include "sim/measurements/nccl_slowdowns.hpp"
#include "sim/validation/judge.hpp"

namespace tofn {
inline namespace answers {

/// A measured table, and whether it is what its cluster should give.
struct JudgedTable {
  CollectiveTable table;
  std::string cluster;
  std::string cluster_by;  ///< what says so
  TableJudgement judgement;
  std::optional<NcclFacts> nccl;          ///< what the log says of NCCL's choices (NCCL_DEBUG=INFO)
  std::vector<NcclSlowdown> slowdowns{};  ///< what it says that slows these ranks
  bool is_certain = true;                 ///< no other machine, ranks or nodes can be meant

  /// Neither slow nor impossible, and no links lie idle by the log's own word.
  bool is_normal() const;
};

/// Adds what the log says of NCCL and of its settings to the tables that were read from it, and
/// takes from their causes those that it excludes.
void add_words_of_log(std::vector<JudgedTable>&, const std::filesystem::path& log);

/// A log that could not be judged, and why.
struct RefusedLog {
  std::string file;
  std::string reason;
};

/// What the log says is left to add_words_of_log.
JudgedTable judge_table(const CollectiveTable&, const Cluster&, std::string cluster_by,
                        const Knowledge&);

}  // namespace answers
}  // namespace tofn
