#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/evidence/known_steps.hpp"
#include "sim/kernel/stack_figures.hpp"

namespace tofn {
inline namespace answers {

/// A stack fitted without some steps.
struct StackWithout {
  KernelProfile stack;
  std::vector<Location> left_out;  ///< rows of those steps
};
/// Absent if the stack is not fitted or no step is left out. `known`: all steps of
/// configs/measured.
std::optional<StackWithout> relearned_without(
    const KnownSteps& known, const KernelProfile&,
    const std::function<bool(const StepCaseRow&)>& is_left_out);

/// Contribution of a step to the fitted value of a figure.
struct FigureMove {
  std::string step;  ///< its model, precision and machine
  double by = 0;     ///< change of the logarithm of the figure
};
struct ExplainedStack {
  KernelProfile learned;
  std::array<std::vector<FigureMove>, stack_figures.size()> moves;  ///< largest first
};
/// Returns the fitted stacks with the steps that moved each figure.
std::vector<ExplainedStack> explained_stacks(const std::filesystem::path& configs);

}  // namespace answers
}  // namespace tofn
