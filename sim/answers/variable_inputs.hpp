#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/core/range.hpp"
#include "sim/expense/expense.hpp"
#include "sim/kernel/kernel_profile.hpp"

namespace tofn {
inline namespace answers {

/// Inputs of a prediction besides its work and its plan.
struct PredictionInputs {
  Cluster cluster;
  KernelProfile stack;  ///< of models
  ExpenseOptions expenses{};
  Seconds start_up{};
};

/// A figure of the inputs that can be varied on its own.
struct VariableInput {
  std::string name;    ///< `network.nic_bandwidth`, `accelerator.memory`, `stack.kernel_start`
  double value = 0;    ///< in base units
  std::string text;    ///< `50 GB/s`
  std::string source;  ///< `assumed` if it has none
  std::function<void(PredictionInputs&, double value)> set;
  Range bounds{};
  bool is_whole = false;  ///< true for counts
  /// Names of figures that move by the same factor.
  std::vector<std::string> moves{};

  /// Returns the value times `factor`, clamped to its range and rounded if it is a count.
  double times(double factor) const;
};

/// Returns every figure above 0 of the files' tables (`visit_cluster`, `visit_accelerator`,
/// `visit_stack`) and of the run's expenses. Switches and layouts (how many accelerators share a
/// node) are left out, because another one is another machine. Measured products move with their
/// peak, of which they are a share, and do not exceed it.
std::vector<VariableInput> variable_inputs(const PredictionInputs&);

}  // namespace answers
}  // namespace tofn
