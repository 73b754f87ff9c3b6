#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/answers/collective_check_answer.hpp"
#include "sim/answers/fabric_training_answer.hpp"
#include "sim/report/answer_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// The verdict of each table, its bandwidth beside the expected one, causes with their odds and the
/// next test; all rows stand in the details.
AnswerText collective_check_text(const std::vector<JudgedTable>&);
/// `a.txt: a step of llama3-8b takes 1.31 x as long as on healthy links`, with both and the plan.
std::string fabric_training_text(const JudgedTable&, const Model&, const FabricTraining&);

/// One row a measured row, its table's verdict and training beside it; one row a log that was
/// refused. `trainings`: of each table, absent where it tells nothing of one; empty: none is asked
/// for.
ExplainedRecords collective_check_records(
    const std::vector<JudgedTable>&, const std::vector<RefusedLog>&,
    std::span<const std::optional<FabricTraining>> trainings = {});

/// `slow`, `normal`, ...
std::string verdict_word(const JudgedTable&);
/// `SLOW from 1 MB to 1 GB, 7 x the expected time`
std::string verdict_text(const JudgedTable&);
/// What slows it by its log's word and by its times, in a sentence.
std::string cause_text(const JudgedTable&);
/// The same as lines: each cause with its probability, and what to test next.
std::string cause_notes(const JudgedTable&);

/// Bus bandwidth, GB/s, of a row in that time; as measured; as the formulas expect it.
double bus_bandwidth(const ScoredRow&, Seconds);
double measured_bus_bandwidth(const ScoredRow&);
double expected_bus_bandwidth(const ScoredRow&);

}  // namespace report
}  // namespace tofn
