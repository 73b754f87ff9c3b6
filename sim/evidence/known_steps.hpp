#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/calibration/stack_fit.hpp"
#include "sim/config/library.hpp"
#include "sim/evidence/scored_step.hpp"
#include "sim/evidence/step_rows.hpp"

namespace tofn {
inline namespace evidence {

/// A row of a table of steps that can be predicted: as read, as fitted and as scored.
struct KnownStep {
  StepCaseRow row;
  FittedStep fitted;
  std::optional<std::size_t> scored;  ///< index in `scored`
};

/// Measured steps, each as its stack runs it, and fits of stacks to them.
class KnownSteps {
 public:
  explicit KnownSteps(const std::filesystem::path& configs);

  /// Adds the rows of a table. `scored` receives those that can be predicted, and why others
  /// cannot; `notes` as in `read_step_cases`.
  void read(const std::filesystem::path& table, std::vector<ScoredStep>* scored,
            std::vector<std::string>* notes = nullptr);

  /// Computes the starting point of all fits once.
  void prepare();

  /// Fits the stacks to the steps that `is_seen` accepts.
  StackFit fit(const std::function<bool(const KnownStep&)>& is_seen) const;

  const std::vector<KnownStep>& all() const { return known_; }
  const std::vector<KernelProfile>& stacks() const { return stacks_; }
  const KernelProfile& unknown() const { return unknown_; }
  const KernelProfile& profile_of(const KnownStep&) const;

 private:
  void add(StepCaseRow, std::vector<ScoredStep>* scored);
  const KernelProfile& undescribed(const std::string& name);

  Library library_;
  std::vector<KernelProfile> stacks_;
  std::vector<KernelProfile> learning_;
  KernelProfile unknown_;
  std::vector<KnownStep> known_;
  std::map<std::string, std::size_t> known_at_;
};

/// Tables of steps in configs/measured that name stacks.
std::vector<std::filesystem::path> tables_of_steps(const std::filesystem::path& configs);

/// Widths of the layers of the row's model. Rows of the same widths are left out together.
std::string widths_of(const StepCaseRow&);

/// Trust in a source, the A, B or C that it begins with; empty if it has none.
std::string trust_of(const std::string& source);

/// The step with settings of this stack where its row states none.
StepCase run_by(const KernelProfile&, const StepCaseRow&);

}  // namespace evidence
}  // namespace tofn
