#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/parallel.hpp"
#include "sim/evidence/scored_step.hpp"

namespace tofn {
inline namespace answers {

/// What a prediction of a measured step has not seen.
enum class StepProtocol {
  LeftOutModel,
  OneMeasured,
  UnknownStack,
  LeftOutStackOnChip,
  LeftOutChip
};
inline constexpr std::array<std::pair<std::string_view, StepProtocol>, 5> step_protocols{
    {{"left-out-model", StepProtocol::LeftOutModel},
     {"one-measured", StepProtocol::OneMeasured},
     {"unknown-stack", StepProtocol::UnknownStack},
     {"left-out-stack-on-chip", StepProtocol::LeftOutStackOnChip},
     {"left-out-chip", StepProtocol::LeftOutChip}}};
constexpr const auto& names_of(StepProtocol) { return step_protocols; }

/// Scores every row of these tables. Predictions learn from the steps of configs/measured and of
/// the tables, without:
/// - left-out-model: models with layers of the same sizes, of all stacks
/// - one-measured: likewise, but for the row of its stack, model, accelerator and precision with
///   the fewest accelerators, then the fewest tokens, which sharpens what is known; rows with more
///   accelerators are scored
/// - unknown-stack: all steps of the stack's family; the stack is not named
/// - left-out-stack-on-chip: the steps of its stack on its accelerator; those of stacks with steps
///   on another one are scored
/// - left-out-chip: all steps on its accelerator
/// `notes`: as of `read_step_cases`.
std::vector<ScoredStep> steps_answer(const std::filesystem::path& configs,
                                     const std::vector<std::filesystem::path>& tables, StepProtocol,
                                     const OnProgress& on_progress = {},
                                     std::vector<std::string>* notes = nullptr);

/// The same of every one of `step_protocols`, in their order. What several leave out together is
/// learnt once.
std::vector<std::vector<ScoredStep>> steps_by_each_protocol(
    const std::filesystem::path& configs, const std::vector<std::filesystem::path>& tables,
    const OnProgress& on_progress = {});

/// The rows that state peak memory, beside what is held; their steps are not predicted.
std::vector<ScoredStep> peak_memory_answer(const std::filesystem::path& configs,
                                           const std::vector<std::filesystem::path>& tables);

}  // namespace answers
}  // namespace tofn
