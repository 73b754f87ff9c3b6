#pragma once

#include <optional>

#include "sim/answers/collective_check_answer.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace answers {

/// A step of training on the links that a table shows, beside healthy ones.
struct FabricTraining {
  SimulatedStep healthy;  ///< by the best plan on healthy links, of one sample an accelerator
  Seconds here;
  std::vector<std::string> by_formula{};  ///< what no table of the log answers, a sentence each
};

/// On the ranks and nodes of the table. The slow step answers from the tables of its log, as `step
/// --calibration` does of a file that `calibrate` made of it: what few rows teach of the links'
/// figures is pooled with all links and tells too little of one machine. The healthy one is `step`
/// without it. InputError where no plan of the model runs on the ranks, and where the log answers
/// no message of the step, which would tell nothing of its links.
FabricTraining fabric_training(const JudgedTable&, const std::vector<CollectiveTable>& of_its_log,
                               const Cluster&, const Model&, const KernelProfile&);

}  // namespace answers
}  // namespace tofn
