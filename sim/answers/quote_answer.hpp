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

/// A quote with its simulation.
struct SimulatedQuote {
  Quote quote;
  std::string accelerator;
  std::string measure;  ///< `of the peak`, `against 16`
  std::optional<double> quoted;
  double simulated = 0;  ///< simulated efficiency
  /// 90 % interval of the simulation; absent for a ratio of two simulations, whose errors are
  /// mostly the same.
  std::optional<Interval> interval;
  int accelerators = 0;  ///< number simulated: whole replicas
  double batch = 0;      ///< samples simulated: whole micro-batches of the first phase
  std::vector<std::string> remarks;
};

/// Simulates each quote on the nearest number of whole replicas and micro-batches. If the stack is
/// fitted to a step of the quoted run, that step is left out of the fit first. InputError if a
/// quote names what the configs lack, or if its plan does not fit the model.
std::vector<SimulatedQuote> simulate_quotes(const std::vector<Quote>&, Library&,
                                            const std::filesystem::path& configs,
                                            const KernelProfile&);

}  // namespace answers
}  // namespace tofn
