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

/// What all steps of configs/measured teach of each stack that learns: the profiles of
/// configs/stacks with their figures learnt again.
std::vector<KernelProfile> relearnt_stacks(const std::filesystem::path& configs);

/// A stack as it would have been learnt without some steps.
struct StackWithout {
  KernelProfile stack;
  std::vector<Location> left_out;  ///< of their rows
};
/// Absent where none of those steps taught it. `known`: all steps of configs/measured.
std::optional<StackWithout> relearnt_without(
    const KnownSteps& known, const KernelProfile&,
    const std::function<bool(const StepCaseRow&)>& is_left_out);

/// How much of what a figure was learnt to be a step told.
struct FigureMove {
  std::string step;  ///< its model, precision and machine
  double by = 0;     ///< of the figure's logarithm
};
struct ExplainedStack {
  KernelProfile learnt;
  std::array<std::vector<FigureMove>, stack_figures.size()> moves;  ///< longest first
};
/// The same with the steps that moved each figure.
std::vector<ExplainedStack> explained_stacks(const std::filesystem::path& configs);

}  // namespace answers
}  // namespace tofn
