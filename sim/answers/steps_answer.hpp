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

/// Measured steps that a prediction is not fitted to.
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

/// Scores every row of these tables. Predictions are fitted to the steps of configs/measured and of
/// the tables, without:
/// - left-out-model: steps of models with layers of the same sizes, of all stacks
/// - one-measured: the same, except for one row of the same stack, model, accelerator and
///   precision, to which the prediction is updated; it is the row with the fewest accelerators,
///   then the fewest tokens, and only rows with more accelerators are scored
/// - unknown-stack: all steps of the stack's family; the prediction does not know the stack
/// - left-out-stack-on-chip: steps of the stack on the same accelerator; only stacks with steps on
///   another one are scored
/// - left-out-chip: all steps on the same accelerator
/// `read_step_cases` fills `notes`.
std::vector<ScoredStep> steps_answer(const std::filesystem::path& configs,
                                     const std::vector<std::filesystem::path>& tables, StepProtocol,
                                     const OnProgress& on_progress = {},
                                     std::vector<std::string>* notes = nullptr);

/// Scores the rows by each of `step_protocols`, in their order. A fit that several protocols share
/// is made once.
std::vector<std::vector<ScoredStep>> steps_by_each_protocol(
    const std::filesystem::path& configs, const std::vector<std::filesystem::path>& tables,
    const OnProgress& on_progress = {});

}  // namespace answers
}  // namespace tofn
