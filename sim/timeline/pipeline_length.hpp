#pragma once

#include <array>
#include <utility>

#include <boost/container/small_vector.hpp>

#include "sim/timeline/pass.hpp"

namespace tofn {
inline namespace timeline {

/// Times of one chunk's passes on a rank, including overlapped data communication and without
/// waiting for other stages.
struct StageLengths {
  Seconds first_gather;   ///< before the first pass
  Seconds first_forward;  ///< gathers the parameters that stay
  Seconds forward;
  Seconds backward;
  Seconds last_backward;  ///< reduces gradients
  Seconds weights;        ///< weight gradients; zero unless the schedule splits backward
  Seconds last_weights;
  Seconds tail;  ///< data stream after the last pass
};
/// Time of all of a chunk's passes in a step.
Seconds pass_time(const StageLengths&, int micro_batches);
/// Time that follows a stage's passes and their data communication.
Seconds ending(const StepWork&, int stage);

/// Time that sends delay a pipeline. With overlap the next stage waits while they travel; without
/// it the sender waits, so that its passes are longer and the next stage waits no more.
struct Sends {
  const StepWork* of = nullptr;  ///< null: sends take no time

  // Times from a virtual stage to the next one, or back.
  Seconds travel(int virtual_stage) const {
    return of != nullptr && of->send_overlap ? send_time(*of, virtual_stage) : Seconds{};
  }
  Seconds stall(int virtual_stage) const {
    return of != nullptr && !of->send_overlap ? send_time(*of, virtual_stage) : Seconds{};
  }
};

/// Steps with at most as many chunks on all stages allocate nothing.
inline constexpr std::size_t default_chunks = 64;
template <class T>
using PerChunk = boost::container::small_vector<T, default_chunks>;

/// Lengths of the passes of all chunks of a step, including the stalls of these sends.
struct PassLengths {
  Sends sends;
  std::size_t chunks = 1;          ///< chunks per stage
  PerChunk<StageLengths> lengths;  ///< [stage x chunks + chunk]

  const StageLengths& of(int stage, int chunk = 0) const {
    return lengths[static_cast<std::size_t>(stage) * chunks + static_cast<std::size_t>(chunk)];
  }
};

/// Walks over the passes of a step's chunks. Equal chunks, as most are, are walked once.
class PassWalks {
 public:
  explicit PassWalks(const StepWork&);

  /// Times of a pass of that chunk on its own.
  const PassTimes& undisturbed(int stage, int chunk, PassKind) const;
  PassLengths lengths(const Sends&);

 private:
  /// Chunks whose layers take the same times.
  struct Kind {
    const ChunkTimes* chunk;
    std::array<PassTimes, pass_kinds> undisturbed;
  };
  /// All inputs to the lengths of a chunk's passes. `forward`, `backward`: time that compute waits
  /// for the sends that follow. `ahead`: time that the gathers of parameters that stay have
  /// travelled when the first pass starts, less those of the chunks before; below 0 if they are
  /// late.
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

/// Length of a step, without the noise of replicas.
Seconds pipeline_length(const StepWork&, const PassLengths&);
/// Length of a step whose stages have several chunks. Each stage counts as that many equal chunks.
Seconds interleaved_length(const StepWork&, const PassLengths&);
/// Length of a step under any schedule whose order settles: the events of the micro-batches until
/// then, and the pace of the busiest stage for the rest.
Seconds settled_length(const StepWork&, const PassLengths&);
/// Length of a step whose order makes even the busiest stage wait. It runs the events of four
/// micro-batches per stage, and the rest comes at the pace of the last of these. Exact up to the
/// length of that run.
Seconds paced_length(const StepWork&, const PassLengths&);

}  // namespace timeline
}  // namespace tofn
