#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/curves/collective_table.hpp"
#include "sim/diagnosis/judge.hpp"
#include "sim/formats/collective_logs/nccl_debug.hpp"
#include "sim/formats/collective_logs/nccl_slowdowns.hpp"

namespace tofn {
inline namespace answers {

/// A measured table, judged against the bandwidth that its cluster should reach.
struct JudgedTable {
  CollectiveTable table;
  std::string cluster;
  std::string cluster_by;  ///< source of the cluster's name
  TableJudgement judgement;
  std::optional<NcclFacts> nccl;          ///< NCCL's choices in the log (NCCL_DEBUG=INFO)
  std::vector<NcclSlowdown> slowdowns{};  ///< causes in the log that slow these ranks
  bool is_certain = true;                 ///< false if other machines, ranks or nodes are possible

  /// True if the table is neither slow nor impossible, and the log reports no grave slowdown.
  bool is_normal() const;
};

/// Adds the log's lines on NCCL and its settings to the tables read from it, and removes the causes
/// that they exclude.
void add_words_of_log(std::vector<JudgedTable>&, const std::filesystem::path& log);

/// A log that could not be judged, with the reason.
struct RefusedLog {
  std::string file;
  std::string reason;
};

/// Judges a table without the lines of its log, which add_words_of_log adds.
JudgedTable judge_table(const CollectiveTable&, const Cluster&, std::string cluster_by,
                        const Knowledge&);

}  // namespace answers
}  // namespace tofn
