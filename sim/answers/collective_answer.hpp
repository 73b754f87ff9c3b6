#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/collectives/algorithm.hpp"
#include "sim/core/cost.hpp"
#include "sim/core/statistics.hpp"
#include "sim/validation/learnt_time.hpp"

namespace tofn {
inline namespace answers {

/// One collective of a job.
struct CollectiveRequest {
  CollectiveKind kind = CollectiveKind::AllReduce;
  Bytes size;
  Communicator communicator;
  std::string calibration{};  ///< its name; empty without one
};

/// An algorithm that could run it.
struct TimedAlgorithm {
  const Algorithm* algorithm = nullptr;
  Seconds time;
  double over = 1;         ///< times that of the cluster's own fastest
  bool is_chosen = false;  ///< by the library, which need not take the fastest
};

/// The algorithm that the library chooses up to a size.
struct ChosenUpTo {
  const Algorithm* algorithm = nullptr;
  std::optional<Bytes> end;  ///< absent: whatever is larger
};

/// What a calibration has measured.
struct MeasuredAnswer {
  Cost cost;
  std::optional<int> carried_from;   ///< ranks that were measured instead of these
  std::optional<CollectiveKind> of;  ///< the collective that was measured instead
  std::optional<Interval> seconds;   ///< 90 %; of those carried over what links leave open
};

struct CollectiveAnswer {
  CollectiveRequest asked;
  std::vector<TimedAlgorithm> own;     ///< what the cluster's library has; fastest first
  std::vector<TimedAlgorithm> others;  ///< what another library could do; likewise
  std::vector<ChosenUpTo> by_size;     ///< from 8 B to 16 GiB, in steps of 1/16 octave
  std::optional<MeasuredAnswer> measured;
  std::optional<LearntTime> learnt;  ///< by tables of such links; absent: nobody asked
  double beyond_nodes = 0;           ///< nodes over the most that the formulas were fitted to
  double beyond_sizes = 0;           ///< likewise, the size over the largest

  const TimedAlgorithm& chosen() const;
  /// Whether the machine's own tables, of other ranks or sizes, tell more than the figures of its
  /// file.
  bool is_by_tables() const { return !measured && learnt && learnt->tables > 0; }
  /// 90 %, of what leads: measured, by tables or by formula; absent where nothing tells.
  std::optional<Interval> seconds() const;
};
CollectiveAnswer collective_answer(const CollectiveRequest&, const std::optional<LearntTime>& = {});

}  // namespace answers
}  // namespace tofn
