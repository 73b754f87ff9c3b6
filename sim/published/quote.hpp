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
  std::optional<double> steps;  ///< absent: the quote is of a rate
};

struct QuotedRun {
  Sourced<int> accelerators;
  std::vector<QuotedPhase> phases;
  std::optional<Sourced<Seconds>> time;           ///< of all phases
  std::optional<Sourced<Bytes>> gradient_bucket;  ///< of its software; absent: the kernels' own
};

/// What others wrote of one large run, with its figures as they gave them.
struct Quote {
  std::string name;
  std::string title;
  std::string cluster;
  std::string plan;
  bool is_from_memory = false;  ///< its figures were not read in the documents that it names
  QuotedRun run;
  std::optional<QuotedRun> reference;           ///< what speedup and efficiency are against
  std::optional<Sourced<FlopsPerSecond>> rate;  ///< of one accelerator
  bool counts_recomputation = false;            ///< the rate, work that is done twice
  std::optional<Sourced<FlopsPerSecond>> total_rate;
  std::optional<Sourced<Seconds>> time;  ///< of all the work
  std::optional<Sourced<Flops>> work;
  std::optional<Sourced<double>> samples_per_second;
  std::optional<Sourced<double>> share_of_peak;
  std::optional<Sourced<double>> speedup;
  std::optional<Sourced<double>> efficiency;
};

/// What a quote is held against.
struct QuoteFacts {
  FlopsPerSecond peak;           ///< of one accelerator, at the run's precision
  Flops sample;                  ///< of the first phase, without recomputation
  double recomputed_factor = 1;  ///< FLOPs done over those
  int model_parallel = 1;        ///< accelerators of a replica
};

/// The efficiency that a quote states or implies: against its reference where it has one, else of
/// the peak. Absent: it has none of the figures that say so.
std::optional<double> quoted_efficiency(const Quote&, const QuoteFacts&);

/// What is wrong with a quote, or to be known of it, by its own figures: where two of them
/// disagree by more than their digits (5 %), exceed what is possible, or count what others do not.
std::vector<std::string> remarks_on(const Quote&, const QuoteFacts&);

}  // namespace published
}  // namespace tofn
