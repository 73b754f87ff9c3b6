#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/collectives/algorithm.hpp"
#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace answers {

/// Request for algorithms and protocols that are faster than those that NCCL chooses.
struct TunerRequest {
  std::string cluster;
  Communicator communicator;
  std::optional<CollectiveKind> kind{};  ///< absent: all that NCCL chooses for
};

/// Standard deviation of the logarithm of a predicted ratio of two algorithms' times: that of the
/// worst of the three machines in tests/validation/data/collective_algorithms.csv, on which a test
/// computes it again.
inline constexpr double tuner_deviation = 0.18;

/// Gain of an algorithm over another: the time of the other over its own, less 1.
struct TunerGain {
  double expected = 0;
  std::optional<Interval> range{};  ///< 90 %; absent if no table measured both algorithms so

  bool is_sure() const { return range && range->low > 0; }
};

/// Gain of `one` over `other` by the formulas.
TunerGain gain_over(const Algorithm& one, const Algorithm& other, Bytes payload,
                    const Communicator&);

/// The algorithm that NCCL's own tuner chooses: the fastest by its latencies and bandwidths
/// (src/graph/tuning.cc of NCCL 2.30), which leave out the time that pipelines take to fill.
const Algorithm& tuner_choice(CollectiveKind, Bytes payload, const Communicator&);

/// Range of sizes of a collective for which one algorithm is faster than NCCL's choice.
struct TunerRow {
  CollectiveKind kind;
  Bytes from, to;  ///< both inclusive
  const Algorithm* algorithm;
  const Algorithm* choice;  ///< of NCCL
  TunerGain least, most;    ///< over the sizes
};

/// Rows by collective and size, with gains of at least 10 %.
struct TunerAnswer {
  TunerRequest request;
  std::vector<TunerRow> sure;    ///< the interval of the gain has only gains
  std::vector<TunerRow> unsure;  ///< to be measured
};

/// InputError if the cluster does not run NCCL.
TunerAnswer tuner_answer(const TunerRequest&);

}  // namespace answers
}  // namespace tofn
