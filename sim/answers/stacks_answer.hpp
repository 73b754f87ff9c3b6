#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/kernel/stack_figures.hpp"

namespace tofn {
inline namespace answers {

/// What all steps of configs/measured teach of each stack that learns: the profiles of
/// configs/stacks with their figures learnt again.
std::vector<KernelProfile> relearnt_stacks(const std::filesystem::path& configs);

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
