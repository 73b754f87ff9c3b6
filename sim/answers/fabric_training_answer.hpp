#pragma once

#include <optional>

#include "sim/answers/collective_check_answer.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace answers {

/// A training step on the links that a table shows, compared with healthy links.
struct FabricTraining {
  SimulatedStep healthy;  ///< by the best plan on healthy links, one sample an accelerator
  Seconds here;
  std::vector<std::string> by_formula{};  ///< collectives that no table covers, a sentence each
};

/// Simulates a step on the ranks and nodes of the table, with and without the tables of its log.
/// The step on the measured links uses these tables, as `step --calibration` uses a file that
/// `calibrate` made of them, because figures fitted to few rows are pooled with all links and so
/// say too little about one machine. InputError if no plan of the model runs on these ranks, or if
/// the log covers no message of the step.
FabricTraining fabric_training(const JudgedTable&, const std::vector<CollectiveTable>& of_its_log,
                               const Cluster&, const Model&, const KernelProfile&);

}  // namespace answers
}  // namespace tofn
