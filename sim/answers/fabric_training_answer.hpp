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

/// On the ranks of the table. InputError where no plan of the model runs on them.
FabricTraining fabric_training(const JudgedTable&, const Cluster&, const Model&,
                               const KernelProfile&);

}  // namespace answers
}  // namespace tofn
