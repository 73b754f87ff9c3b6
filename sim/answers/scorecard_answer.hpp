#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sim/answers/steps_answer.hpp"
#include "sim/core/accuracy.hpp"

namespace tofn {
inline namespace answers {

/// One kind of prediction held against all that ships of its measurements.
struct ScorecardRow {
  std::string what;  ///< `steps one-measured`
  std::string of;    ///< what is measured: a time, the share of faults that are missed, ...
  Accuracy accuracy;
  std::string not_blind{};  ///< what was chosen with these errors in view (`disclosures`)
  std::string baseline{};   ///< what else one could have said; empty: nothing is known
  std::optional<double> baseline_mean{};  ///< of its |error|, over the rows that have one
};

/// Every protocol of `tofn validate` on the measurements that ship, side by side on all cores: of
/// all, and by stack, accelerator and benchmark.
std::vector<ScorecardRow> scorecard_answer(const std::filesystem::path& configs,
                                           const OnProgress& on_progress = {});

}  // namespace answers
}  // namespace tofn
