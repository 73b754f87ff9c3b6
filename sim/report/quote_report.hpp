#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/core/statistics.hpp"
#include "sim/published/quote.hpp"
#include "sim/report/records.hpp"

namespace tofn {

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

std::string quote_text(const std::vector<SimulatedQuote>&);
Records quote_records(const std::vector<SimulatedQuote>&);

}  // namespace tofn
