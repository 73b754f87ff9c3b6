#pragma once

#include <array>
#include <utility>

#include <boost/container/small_vector.hpp>

#include "sim/timeline/pass.hpp"

namespace tofn {
inline namespace timeline {

/// How long one chunk's passes take on a rank, overlapped data communication included, other
/// stages left out.
struct StageLengths {
  Seconds first_gather;   ///< before the first pass
  Seconds first_forward;  ///< where parameters that stay are gathered
  Seconds forward;
  Seconds backward;
  Seconds last_backward;  ///< where gradients leave
  Seconds weights;        ///< weight gradients; none but under split schedules
  Seconds last_weights;
  Seconds tail;  ///< of the data stream, after the last pass
};
/// All of a chunk's passes in a step.
Seconds pass_time(const StageLengths&, int micro_batches);
/// What follows a stage's passes and their data communication.
Seconds ending(const StepWork&, int stage);

/// How sends hold a pipeline up: the next stage waits while they travel, or the sender already
/// has, so that its passes are longer and nothing is left to wait for.
struct Sends {
  const StepWork* of = nullptr;  ///< none: they take no time

  // From a virtual stage to the next one, or back.
  Seconds travel(int virtual_stage) const {
    return of != nullptr && of->send_overlap ? send_time(*of, virtual_stage) : Seconds{};
  }
  Seconds stall(int virtual_stage) const {
    return of != nullptr && !of->send_overlap ? send_time(*of, virtual_stage) : Seconds{};
  }
};

/// A step of not more chunks, on all its stages, allocates nothing.
inline constexpr std::size_t default_chunks = 64;
template <class T>
using PerChunk = boost::container::small_vector<T, default_chunks>;

/// Passes of all chunks of a step, with the stalls of these sends.
struct PassLengths {
  Sends sends;
  std::size_t chunks = 1;          ///< of a stage
  PerChunk<StageLengths> lengths;  ///< [stage x chunks + chunk]

  const StageLengths& of(int stage, int chunk = 0) const {
    return lengths[static_cast<std::size_t>(stage) * chunks + static_cast<std::size_t>(chunk)];
  }
};

/// Walks over the passes of a step's chunks, each once: most chunks are like others.
class PassWalks {
 public:
  explicit PassWalks(const StepWork&);

  /// A pass of that chunk on its own.
  const PassTimes& undisturbed(int stage, int chunk, PassKind) const;
  PassLengths lengths(const Sends&);

 private:
  /// Chunks whose layers take the same times.
  struct Kind {
    const ChunkTimes* chunk;
    std::array<PassTimes, pass_kinds> undisturbed;
  };
  /// All that the lengths of a chunk's passes depend on. `forward`, `backward`: what compute waits
  /// for the sends that follow; `ahead`: how long the gathers of parameters that stay have
  /// travelled when the first pass starts, less what those of chunks before them took; below 0
  /// where they are late.
  struct Given {
    std::size_t kind = 0;
    Seconds forward, backward;
    Seconds ahead;

    bool operator==(const Given&) const = default;
  };
  std::size_t kind_of(int stage, int chunk) const;
  const StageLengths& walk(const Given&);

  const StepWork& work_;
  PerChunk<Kind> kinds_;
  PerChunk<std::size_t> kind_of_;  ///< [stage x chunks + chunk]
  boost::container::small_vector<std::pair<Given, StageLengths>, 2 * default_chunks> walked_;
};

/// How long a step takes, without the noise of replicas.
Seconds pipeline_length(const StepWork&, const PassLengths&);
/// The same where stages have several chunks: each stage is taken for as many equal ones.
Seconds interleaved_length(const StepWork&, const PassLengths&);
/// The same under any schedule, from the events of as many micro-batches as pass before the order
/// settles; the rest comes at the pace of the busiest stage.
Seconds settled_length(const StepWork&, const PassLengths&);
/// The same of orders that make even the busiest stage wait: the rest comes at the pace of the last
/// micro-batches of a run of four times as many as there are stages. Exact up to that run's length.
Seconds paced_length(const StepWork&, const PassLengths&);

}  // namespace timeline
}  // namespace tofn
