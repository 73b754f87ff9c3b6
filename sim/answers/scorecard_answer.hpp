#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/answers/steps_answer.hpp"
#include "sim/core/accuracy.hpp"

namespace tofn {
inline namespace answers {

/// Accuracy of one kind of prediction on all shipped measurements of it.
struct ScorecardRow {
  std::string what;  ///< `steps one-measured`
  std::string of;    ///< measured quantity: a time, the share of missed faults, ...
  Accuracy accuracy;
  std::string not_blind{};  ///< names of the choices made with these errors in view (`disclosures`)
  std::string baseline{};   ///< simple prediction to compare with; empty if there is none
  std::optional<double> baseline_mean{};  ///< mean of its |error|, over the rows that have one
};

/// Scores every protocol of `tofn validate` on the shipped measurements, in parallel on all cores.
/// Rows are for all measurements, and by stack, accelerator and benchmark.
std::vector<ScorecardRow> scorecard_answer(const std::filesystem::path& configs,
                                           const OnProgress& on_progress = {});

}  // namespace answers
}  // namespace tofn
