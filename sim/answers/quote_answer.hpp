#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/library.hpp"
#include "sim/core/statistics.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/published/quote.hpp"

namespace tofn {
inline namespace answers {

/// A quote beside its simulation.
struct SimulatedQuote {
  Quote quote;
  std::string accelerator;
  std::string measure;  ///< `of the peak`, `against 16`
  std::optional<double> quoted;
  double simulated = 0;  ///< the same efficiency
  /// 90 %, of the simulation; absent for the quotient of two, whose doubts are mostly the same.
  std::optional<Interval> interval;
  int accelerators = 0;  ///< simulated on: whole replicas
  double batch = 0;      ///< simulated with: whole micro-batches, of the first phase
  std::vector<std::string> remarks;
};

/// A step of the quoted run, where it is one that the stack learns from, is left out of that first.
/// Simulates each quote on as many whole replicas and micro-batches as are nearest to it.
/// InputError where a quote names what the configs lack, or where its plan does not fit the model.
std::vector<SimulatedQuote> simulate_quotes(const std::vector<Quote>&, Library&,
                                            const std::filesystem::path& configs,
                                            const KernelProfile&);

}  // namespace answers
}  // namespace tofn
