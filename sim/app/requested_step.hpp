#pragma once

#include <optional>
#include <string>

#include "sim/app/command.hpp"
#include "sim/app/launch_options.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/model.hpp"

namespace tofn {
inline namespace app {

/// Requested step of a model by its name or file, or of the training of launch files.
struct RequestedStep {
  std::string subject{};  ///< model's name or file; empty if launch files describe it
  KernelProfile stack{};
  Model model{};
  StatedPlan plan{};
  std::string cluster{};
};

/// Reads the options of a step. InputError if the model or the cluster is missing.
RequestedStep requested_step(const options::variables_map&, const CommonOptions&,
                             const std::optional<Launched>&);

}  // namespace app
}  // namespace tofn
