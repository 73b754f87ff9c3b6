#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/answers/collective_check_answer.hpp"
#include "sim/answers/fabric_training_answer.hpp"
#include "sim/core/records.hpp"

namespace tofn {
inline namespace report {

/// Of each table some rows beside the formulas and similar systems, and the verdict.
std::string collective_check_text(const std::vector<JudgedTable>&);
/// `a.txt: a step of llama3-8b takes 1.31 x as long as on healthy links`, with both and the plan.
std::string fabric_training_text(const JudgedTable&, const Model&, const FabricTraining&);

/// One row a measured row, its table's verdict and training beside it; one row a log that was
/// refused. `trainings`: of each table, absent where it tells nothing of one; empty: none is asked
/// for.
Records collective_check_records(const std::vector<JudgedTable>&, const std::vector<RefusedLog>&,
                                 std::span<const std::optional<FabricTraining>> trainings = {});

/// `slow`, `normal`, ...
std::string verdict_word(const JudgedTable&);
/// `slow from 1 MB to 1 GB by a factor of 7; ...`
std::string verdict_text(const JudgedTable&);
/// What slows it by its log's word and by its times.
std::string cause_text(const JudgedTable&);

/// Bus bandwidth of a measured row, GB/s, and what the formulas expect of it.
double measured_bus_bandwidth(const ScoredRow&);
double expected_bus_bandwidth(const ScoredRow&);

}  // namespace report
}  // namespace tofn
