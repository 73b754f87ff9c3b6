#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/answered_collectives.hpp"
#include "sim/core/quantity.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace timeline {

/// Parts of a step's time. Exposed communication has one part for each group of ranks.
enum class StepPart {
  Compute,
  Launch,
  Tensor,
  Context,
  Expert,
  Pipeline,
  Data,
  Bubble,
  Imbalance,
  Optimizer
};
inline constexpr std::array<std::pair<std::string_view, StepPart>, 10> step_parts{
    {{"compute", StepPart::Compute},
     {"launch", StepPart::Launch},
     {"tensor", StepPart::Tensor},
     {"context", StepPart::Context},
     {"expert", StepPart::Expert},
     {"pipeline", StepPart::Pipeline},
     {"data", StepPart::Data},
     {"bubble", StepPart::Bubble},
     {"imbalance", StepPart::Imbalance},
     {"optimizer", StepPart::Optimizer}}};
/// Titles for people; those of exposed communication say so.
inline constexpr std::array<std::string_view, step_parts.size()> step_part_titles{
    "compute",
    "launches and small kernels",
    "tensor parallel, exposed",
    "context parallel, exposed",
    "expert parallel, exposed",
    "pipeline sends, exposed",
    "gradients and shards, exposed",
    "pipeline bubble",
    "waiting for slower ranks",
    "optimizer"};
using PartTimes = std::array<Seconds, step_parts.size()>;
using PartBases = std::array<Basis, step_parts.size()>;
constexpr PartBases uniform_bases(Basis basis) {
  PartBases bases{};
  bases.fill(basis);
  return bases;
}
/// Parts in which a rank waits for data that other ranks send.
inline constexpr std::array exposed_parts{StepPart::Tensor, StepPart::Context, StepPart::Expert,
                                          StepPart::Pipeline, StepPart::Data};

inline Seconds& part(PartTimes& parts, StepPart which) {
  return parts[static_cast<std::size_t>(which)];
}
inline Seconds part(const PartTimes& parts, StepPart which) {
  return parts[static_cast<std::size_t>(which)];
}

/// One pass (forward or backward) of one layer on one micro-batch: device time, host time, and
/// communication that is exposed or may overlap.
struct LayerPass {
  Seconds compute;
  Seconds attention;  ///< part of `compute` that context traffic overlaps
  Seconds launch;     ///< time that the host adds to the device's
  Seconds host;       ///< least time of the pass: the host's, to launch all of it beside the device
  std::array<Seconds, 3> exposed;     ///< tensor, context, expert: compute waits
  std::array<Seconds, 3> overlapped;  ///< by group: context overlaps attention, the others overlap
                                      ///< the rest of this pass's compute
  Seconds weight_gradients;           ///< part of `compute` that may run later (zero bubble)
  Seconds host_of_weight_gradients;   ///< part of `host` that launches those
  Seconds gather;                     ///< data group: parameters before this pass (ZeRO 3)
  Seconds reduce;  ///< data group: gradients after this pass, of the last or of every micro-batch

  bool operator==(const LayerPass&) const = default;
};

struct LayerTimes {
  std::string name;
  int count = 1;
  LayerPass forward, backward;

  bool operator==(const LayerTimes&) const = default;
};

/// One chunk of layers of one pipeline stage, in forward order. Most chunks of a pipeline are
/// equal: copies share their layers until one of them is changed.
class ChunkTimes {
 public:
  ChunkTimes(std::vector<LayerTimes> layers = {})
      : layers_(std::make_shared<std::vector<LayerTimes>>(std::move(layers))) {}

  const std::vector<LayerTimes>& layers() const { return *layers_; }
  /// Layers to change; from now on they belong to this chunk alone.
  std::vector<LayerTimes>& own_layers() {
    if (layers_.use_count() > 1) layers_ = std::make_shared<std::vector<LayerTimes>>(*layers_);
    return *layers_;
  }

  friend bool operator==(const ChunkTimes& a, const ChunkTimes& b) {
    return a.layers_ == b.layers_ || *a.layers_ == *b.layers_;
  }

 private:
  std::shared_ptr<std::vector<LayerTimes>> layers_;
};

/// Share of overlapped communication that compute loses, 0..1: with 0 overlap is free, with 1
/// nothing is gained.
struct Slowdown {
  double tensor = 0;   ///< by exchanges that overlap kernels other than attention
  double context = 0;  ///< by the ring that overlaps attention
  double data = 0;     ///< by gathers and reductions
};

constexpr Slowdown uniform_slowdown(double share) { return {share, share, share}; }

/// One step of one representative rank of each pipeline stage. Data-parallel ranks do the same
/// work, so that the cost of simulating a step does not depend on their number.
struct StepWork {
  std::vector<std::vector<ChunkTimes>> stages;  ///< [stage][chunk], placed by the schedule
  int micro_batches = 1;
  PipelineSchedule schedule = PipelineSchedule::OneForwardOneBackward;
  /// Send time per stage: activations to the next stage, or their gradients back from it; the last
  /// stage sends to the first one's next chunk. Empty: sends take no time.
  std::vector<Seconds> send;
  bool pairs_passes = false;              ///< a forward and a backward pass run as one
  bool send_overlap = true;               ///< with the next pass; otherwise they are exposed
  bool data_overlap = true;               ///< `gather` and `reduce` run on a separate stream
  bool gathers_each_micro_batch = true;   ///< ZeRO 3 frees parameters after each pass
  bool reduces_each_micro_batch = false;  ///< ZeRO 2 and 3 keep shards of gradients only
  Slowdown slowdown;
  std::vector<Seconds> after;      ///< per stage: work after the last pass, unoverlapped (tied
                                   ///< embeddings, parameter all-gather)
  std::vector<Seconds> optimizer;  ///< per stage
  double rank_noise = 0;           ///< relative standard deviation of the time of a rank's device
  double replicas = 1;             ///< replicas that wait for the slowest of them
  PartBases bases = uniform_bases(Basis::Formula);  ///< basis of the times of each part
  AnsweredCollectives answered{};                   ///< collectives of the step
};

/// Parts of a step's time on the slowest stage; their sum is exactly `total`.
struct StepTimes {
  Seconds total;
  PartTimes parts{};
  Seconds communication;  ///< exposed or not, on that stage
  PartBases bases = uniform_bases(Basis::Formula);

  /// Time of one part, with its basis.
  Cost cost(StepPart) const;
  /// Time of the whole step. Its basis is the weakest of the parts that take time.
  Cost cost() const;
  /// Exposed communication of all groups.
  Cost exposed() const;
  /// Time spent waiting for other ranks: bubbles, and the slowest of the replicas.
  Seconds waiting() const;
  /// Time of a rank's own work: kernels, launches and the optimizer.
  Seconds computation() const;
};

/// Multiplies each part and the total by `factor`.
StepTimes scaled(StepTimes, double factor);

}  // namespace timeline
}  // namespace tofn
