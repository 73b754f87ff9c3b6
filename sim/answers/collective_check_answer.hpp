#pragma once

#include <string>
#include <vector>

#include "sim/measurements/collective_table.hpp"
#include "sim/validation/judge.hpp"

namespace tofn {
inline namespace answers {

/// A measured table, and whether it is what its cluster should give.
struct JudgedTable {
  CollectiveTable table;
  std::string cluster;
  TableJudgement judgement;
};

/// InputError at a table of which nobody knows the cluster.
std::vector<JudgedTable> judge_tables(const std::vector<CollectiveTable>&, const Knowledge&);

}  // namespace answers
}  // namespace tofn
