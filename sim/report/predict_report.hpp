#pragma once

#include <string>
#include <vector>

#include "sim/answers/predict_answer.hpp"
#include "sim/report/answer_text.hpp"

namespace tofn {
inline namespace report {

/// Text of a run: its time and cost, the parts of its step, and assumptions; for several sizes a
/// table and a chart. Details: each figure with its range and basis, plans and assumptions.
AnswerText predict_text(const PredictAnswer&);

// Lines of a run of a model.

/// Text such as `1T tokens`; without tokens `4.6M samples`.
std::string trained_words(double tokens, double samples);
/// Words on the assumption that training in 8 or 4 bits reaches the same loss.
std::string same_loss_words(const SimulatedStep&);
/// Line `batch`, with its origin; empty for a run of several phases, which state their own.
std::string batch_text(const StatedRun& request, const RunEstimate&);
/// Lines `plan` and `precision` of a point.
std::string job_plan_text(const RunPoint&);
/// Line on the days by which the batch was chosen, if these are not the days shown.
std::string same_loss_text(const StatedRun&, const RunPoint&);
/// Line on the extra samples that the batch takes; empty if they are unknown.
std::string large_batch_text(const StatedRun&, const RunEstimate&);
/// Table of the phases of a run; empty if there is only one.
std::string job_phases_text(const RunPoint&);

// Lines of a run of a workload, of all points that have an estimate.

/// Line `plan`, with the number of accelerators where plans differ.
std::string workload_plan_text(const WorkloadRun&, const std::vector<RunPoint>&);
/// Line `batch` of one point, or only its choice.
std::string workload_batch_text(const WorkloadRun&, const std::vector<RunPoint>&);
/// Line `memory` for weights that exceed the memory; measured runs have no model of their memory.
std::string weights_text(const WorkloadRun&, const RunPoint&);
/// Lines on what the steps rest on: calibration, release, settings and the clock of the logs.
std::string workload_basis_text(const WorkloadRun&, const std::vector<RunPoint>&);
/// Line on a workload without a target; empty for others.
std::string no_target_text(const WorkloadRun&);

// Lines of both.

/// Lines `assumed`: each value that is not stated, with the option that states it.
std::string assumed_text(const RunRequest&, const RunPoint&);
/// Term of a price, such as `on-demand`.
std::string price_words(const ChosenPrice&);
/// Line `price`: the price and its source, or why none is known.
std::string price_text(const Expense&, const Cluster&, const ExpenseOptions& request);
/// Line `assumed`: the inputs of a run's energy and time besides its steps that are not stated.
std::string assumed_of_run_text(std::vector<std::string> assumed, Seconds start_up,
                                double grid_intensity);
/// Lines `cluster`, `power`, `price`, `interruptions`, `checkpoint` and `assumed`: the inputs of an
/// estimate's energy and cost.
std::string expense_text(const RunRequest&, const RunPoint&);

}  // namespace report
}  // namespace tofn
