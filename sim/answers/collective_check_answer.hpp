#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/measurements/collective_table.hpp"
#include "sim/measurements/nccl_debug.hpp"
#include "sim/validation/judge.hpp"

namespace tofn {
inline namespace answers {

/// A measured table, and whether it is what its cluster should give.
struct JudgedTable {
  CollectiveTable table;
  std::string cluster;
  TableJudgement judgement;
  std::optional<NcclFacts> nccl;  ///< what the log says of NCCL's choices (NCCL_DEBUG=INFO)
};

/// Absent: the file holds no line of NCCL's.
std::optional<NcclFacts> nccl_facts(const std::filesystem::path& log);

/// Their `nccl` is left to who knows the files. InputError at a table of which nobody knows the
/// cluster.
std::vector<JudgedTable> judge_tables(const std::vector<CollectiveTable>&, const Knowledge&);

}  // namespace answers
}  // namespace tofn
