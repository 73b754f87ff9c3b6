#pragma once

#include <optional>
#include <string>

#include "sim/core/accuracy.hpp"
#include "sim/core/error.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/simulation/step_uncertainty.hpp"

namespace tofn {
inline namespace evidence {

/// Memory of the most loaded accelerator as a table states it, and its prediction under the same
/// reading.
struct ScoredMemory {
  Bytes measured;
  Bytes predicted;
  MemoryReading reading = MemoryReading::Reserved;

  double error() const { return predicted / measured - 1; }
};

/// A measured step beside its prediction.
struct ScoredStep {
  std::string stack{};
  std::string model{};
  std::string accelerator{};
  std::string precision{};
  std::string source{};
  std::string trust{};  ///< A, B or C: how much of the step its source states
  std::string job{};    ///< everything but the plan: steps that differ only in their plans share it
  Plan plan{};          ///< as the table states it
  bool has_experts = false;
  int accelerators = 0;
  double measured = 0;  ///< seconds
  double predicted = 0;
  double deviation = 0;           ///< of the logarithm of the prediction, which scatters as a t
  std::string skipped_because{};  ///< empty if it was scored
  Location location{};            ///< of its row; empty if it was refused for a mistake of its own
  /// Memory of the step, even if its time was skipped; absent if the row states none. No figure is
  /// fitted to it, but the terms of memory were chosen on such rows (`disclosures`).
  std::optional<ScoredMemory> memory{};

  Scored scored() const { return log_student(measured, predicted, deviation, run_freedom); }
};

}  // namespace evidence
}  // namespace tofn
