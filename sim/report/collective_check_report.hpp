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

/// Text of the verdict of each table: measured and expected bandwidth, causes with their odds, and
/// the next test. The details list all rows.
AnswerText collective_check_text(const std::vector<JudgedTable>&);
/// Text such as `a.txt: a step of llama3-8b takes 1.31 x as long as on healthy links`, with both
/// times and the plan.
std::string fabric_training_text(const JudgedTable&, const Model&, const FabricTraining&);

/// One row for each measured row, with the verdict and training of its table, and one for each
/// refused log. `trainings`: one for each table, absent if its log covers no message of the step;
/// empty if none was requested.
ExplainedRecords collective_check_records(
    const std::vector<JudgedTable>&, const std::vector<RefusedLog>&,
    std::span<const std::optional<FabricTraining>> trainings = {});

/// Word for the verdict: `slow`, `normal`, ...
std::string verdict_word(const JudgedTable&);
/// Text such as `SLOW from 1 MB to 1 GB, 7 x the expected time`.
std::string verdict_text(const JudgedTable&);
/// Sentence on the causes by the log's own words and by the times.
std::string cause_text(const JudgedTable&);
/// Lines with each cause, its probability, and the next test.
std::string cause_notes(const JudgedTable&);

/// Bus bandwidth of a row in GB/s: in the given time, as measured, and as expected by formula.
double bus_bandwidth(const ScoredRow&, Seconds);
double measured_bus_bandwidth(const ScoredRow&);
double expected_bus_bandwidth(const ScoredRow&);

}  // namespace report
}  // namespace tofn
