#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/cluster/accelerator.hpp"
#include "sim/core/quantity.hpp"
#include "sim/core/sourced.hpp"

namespace tofn {
inline namespace published {

/// Steps of one batch and one kind of sample.
struct QuotedPhase {
  std::string model;  ///< a name of models/
  std::optional<Precision> precision;
  double batch = 0;
  std::optional<double> steps;  ///< absent if the quote states a rate
};

struct QuotedRun {
  Sourced<int> accelerators;
  std::vector<QuotedPhase> phases;
  std::optional<Sourced<Seconds>> time;           ///< of all phases
  std::optional<Sourced<Bytes>> gradient_bucket;  ///< absent: that of the kernels
};

/// A published claim about one large run, with the figures as quoted.
struct Quote {
  std::string name;
  std::string title;
  std::string cluster;
  std::string plan;
  bool is_from_memory = false;  ///< its figures were not read in the documents that it names
  QuotedRun run;
  std::optional<QuotedRun> reference;           ///< of speedup and efficiency
  std::optional<Sourced<FlopsPerSecond>> rate;  ///< of one accelerator
  bool counts_recomputation = false;            ///< the rate includes recomputation
  std::optional<Sourced<FlopsPerSecond>> total_rate;
  std::optional<Sourced<Seconds>> time;  ///< of all the work
  std::optional<Sourced<Flops>> work;
  std::optional<Sourced<double>> samples_per_second;
  std::optional<Sourced<double>> share_of_peak;
  std::optional<Sourced<double>> speedup;
  std::optional<Sourced<double>> efficiency;
};

/// Computed figures that a quote is compared with.
struct QuoteFacts {
  FlopsPerSecond peak;           ///< of one accelerator, at the run's precision
  Flops sample;                  ///< of the first phase, without recomputation
  double recomputed_factor = 1;  ///< FLOPs with recomputation over those without
  int model_parallel = 1;        ///< accelerators of a replica
};

/// Efficiency that a quote states or implies: against its reference if it has one, else against the
/// peak. Absent if it has none of the necessary figures.
std::optional<double> quoted_efficiency(const Quote&, const QuoteFacts&);

/// Remarks on a quote from its own figures: two of them disagree by more than their rounding (5 %),
/// exceed what is possible, or count work that others do not.
std::vector<std::string> remarks_on(const Quote&, const QuoteFacts&);

}  // namespace published
}  // namespace tofn
