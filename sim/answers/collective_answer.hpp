#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/collectives/algorithm.hpp"
#include "sim/core/cost.hpp"
#include "sim/core/statistics.hpp"
#include "sim/validation/learned_time.hpp"

namespace tofn {
inline namespace answers {

/// One collective of a job.
struct CollectiveRequest {
  CollectiveKind kind = CollectiveKind::AllReduce;
  Bytes size;
  Communicator communicator;
  std::string calibration{};  ///< name of the calibration; empty if there is none
  std::string measured_on{};  ///< machine that it measured, if not the requested one
};

/// An algorithm that could run the collective, with its time.
struct TimedAlgorithm {
  const Algorithm* algorithm = nullptr;
  Seconds time;
  double over = 1;         ///< its time over that of the fastest algorithm of the cluster's library
  bool is_chosen = false;  ///< the library's choice, which need not be the fastest
};

/// The algorithm that the library chooses for sizes below `end`.
struct ChosenUpTo {
  const Algorithm* algorithm = nullptr;
  std::optional<Bytes> end;  ///< absent for the last one, which has no upper end
};

/// The time by a calibration's measurements.
struct MeasuredAnswer {
  Cost cost;
  std::optional<int> carried_from;   ///< ranks that were measured, if not the requested number
  std::optional<CollectiveKind> of;  ///< the measured collective, if not the requested one
  std::optional<Interval> seconds;   ///< 90 %; if carried over, with what the links leave open
};

struct CollectiveAnswer {
  CollectiveRequest request;
  std::vector<TimedAlgorithm> own;     ///< algorithms of the cluster's library, fastest first
  std::vector<TimedAlgorithm> others;  ///< algorithms of other libraries, fastest first
  std::vector<ChosenUpTo> by_size;     ///< choices from 8 B to 16 GiB, in steps of 1/16 octave
  std::optional<MeasuredAnswer> measured;
  std::optional<LearnedTime> learned;  ///< estimate from tables of such links, if requested
  double beyond_nodes = 0;  ///< nodes over the most nodes that the formulas were fitted to
  double beyond_sizes = 0;  ///< size over the largest size that they were fitted to

  const TimedAlgorithm& chosen() const;
  /// True if the time comes from the machine's own tables of other ranks or sizes, rather than from
  /// the figures of its file.
  bool is_by_tables() const { return !measured && learned && learned->tables > 0; }
  /// Time by what is known best: measured, else from tables or a formula.
  Seconds time() const;
  /// 90 % interval of the time: measured, else from tables or a formula; absent if unknown.
  std::optional<Interval> seconds() const;
};
CollectiveAnswer collective_answer(const CollectiveRequest&,
                                   const std::optional<LearnedTime>& = {});

/// Ranks of a job that communicate, and whether its other ranks do so at the same time.
struct RanksOfJob {
  RankSet set;
  Concurrency concurrency = Concurrency::AllSets;

  Communicator on(const Cluster& cluster) const {
    return place(set, cluster, set.stride * set.count, concurrency);
  }
};

/// Answers for ranks of a cluster, whose place in the request is left open, with what the fit knows
/// of its links, and of its own tables if `is_shipped`.
CollectiveAnswer collective_answer_on(Cluster, const RanksOfJob&, CollectiveRequest, const LinkFit&,
                                      bool is_shipped);

}  // namespace answers
}  // namespace tofn
