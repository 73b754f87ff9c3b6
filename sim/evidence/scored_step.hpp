#pragma once

#include <optional>
#include <string>

#include "sim/core/accuracy.hpp"
#include "sim/core/error.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace evidence {

/// The fullest accelerator's memory as a table states it, beside what is held under that reading.
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
  std::string job{};    ///< all that ran but its plan: equal of steps that plans alone tell apart
  Plan plan{};          ///< as the table states it
  bool has_experts = false;
  int accelerators = 0;
  double measured = 0;  ///< seconds
  double predicted = 0;
  double deviation = 0;           ///< of the logarithm of the prediction
  std::string skipped_because{};  ///< empty: it was scored
  Location location{};            ///< of its row; of a mistake that no other has: none
  /// Whatever became of the step; absent where the row states none. No figure is fitted to it, but
  /// what is counted was chosen on such rows (`disclosures`).
  std::optional<ScoredMemory> memory{};

  Scored scored() const { return log_normal(measured, predicted, deviation); }
};

}  // namespace evidence
}  // namespace tofn
