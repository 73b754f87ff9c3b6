#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/config/library.hpp"
#include "sim/curves/collective_table.hpp"
#include "sim/diagnosis/judge.hpp"

namespace tofn {
inline namespace answers {

/// A published table that its authors call slow for a stated reason, with the judgement by its
/// times.
struct SlowCase {
  CollectiveTable table;
  std::string cause;  ///< as stated
  TableJudgement judgement;
};

/// Reads and judges the cases of a file like configs/measured/slow-collectives.csv. InputError at a
/// wrong row.
std::vector<SlowCase> slow_cases_answer(const std::filesystem::path& table, Library&,
                                        const Knowledge&);

}  // namespace answers
}  // namespace tofn
