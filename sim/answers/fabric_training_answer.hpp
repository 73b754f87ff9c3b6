#pragma once

#include <optional>

#include "sim/answers/collective_check_answer.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace answers {

/// A step of training on the links that a table shows, beside healthy ones.
struct FabricTraining {
  Plan plan;  ///< the best on healthy links, of one sample an accelerator
  Seconds healthy;
  Seconds here;
};

/// On the ranks of the table. The slow step answers from the tables of its log, as `step
/// --calibration` does of a file that `calibrate` made of it: what few rows teach of the links'
/// figures is pooled with all links and tells too little of one machine. The healthy one is `step`
/// without it. InputError where no plan of the model runs on the ranks.
FabricTraining fabric_training(const JudgedTable&, const std::vector<CollectiveTable>& of_its_log,
                               const Cluster&, const Model&, const KernelProfile&);

}  // namespace answers
}  // namespace tofn
