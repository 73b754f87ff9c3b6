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

/// A row of a table of steps that can be predicted.
struct KnownStep {
  StepCaseRow row;
  std::string widths;  ///< of its model's layers: what is left out together
  std::string family;
  ObservedStep observed;              ///< as its stack runs it
  std::optional<std::size_t> scored;  ///< place in the answer
};

/// Measured steps, each as its stack runs it, and what they teach of stacks.
class KnownSteps {
 public:
  explicit KnownSteps(const std::filesystem::path& configs);

  /// `scored`: takes what can be predicted of the table, or why a row cannot; `notes`: as of
  /// `read_step_cases`.
  void read(const std::filesystem::path& table, std::vector<ScoredStep>* scored,
            std::vector<std::string>* notes = nullptr);

  /// Works out, once for all fits, what they begin with.
  void prepare();

  /// By those of the steps that are seen.
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

/// The tables of steps of configs/measured that name stacks.
std::vector<std::filesystem::path> tables_of_steps(const std::filesystem::path& configs);

/// A, B or C, as sources begin; empty where one does not say.
std::string trust_of(const std::string& source);

/// The step as this stack runs what its row does not state.
StepCase run_by(const KernelProfile&, const StepCaseRow&);

}  // namespace evidence
}  // namespace tofn
