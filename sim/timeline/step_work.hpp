#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/cost.hpp"
#include "sim/core/quantity.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace timeline {

/// What the time of a step is spent on; exposed communication has one for each group of ranks.
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
/// For people; exposed communication says so.
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

/// One pass (forward or backward) of one layer on one micro-batch: device time, what the host
/// needs, and communication that is exposed or may overlap.
struct LayerPass {
  Seconds compute;
  Seconds attention;                  ///< part of `compute` that context traffic overlaps
  Seconds launch;                     ///< what the host adds to what the device takes
  Seconds host;                       ///< to launch all of it, beside the device: the least time
  std::array<Seconds, 3> exposed;     ///< tensor, context, expert: compute stands still
  std::array<Seconds, 3> overlapped;  ///< likewise, overlapped: context's with attention, others'
                                      ///< with the rest of this pass's compute
  Seconds weight_gradients;           ///< part of `compute` that may run later (zero bubble)
  Seconds host_of_weight_gradients;   ///< part of `host` that launches those
  Seconds gather;                     ///< data group: parameters before this pass (ZeRO 3)
  Seconds reduce;  ///< data group: gradients after this pass, of the last micro-batch or each

  bool operator==(const LayerPass&) const = default;
};

struct LayerTimes {
  std::string name;
  int count = 1;
  LayerPass forward, backward;

  bool operator==(const LayerTimes&) const = default;
};

/// One chunk of layers of one pipeline stage, in forward order. Most chunks of a pipeline are like
/// others: copies share their layers until one of them is to change.
class ChunkTimes {
 public:
  ChunkTimes(std::vector<LayerTimes> layers = {})
      : layers_(std::make_shared<std::vector<LayerTimes>>(std::move(layers))) {}

  const std::vector<LayerTimes>& layers() const { return *layers_; }
  /// To change: this chunk's alone from now on.
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

/// One step of one representative rank of each pipeline stage. Data-parallel ranks are alike, so
/// that the cost of simulating it does not depend on their number.
struct StepWork {
  std::vector<std::vector<ChunkTimes>> stages;  ///< [stage][chunk], placed as the schedule says
  int micro_batches = 1;
  PipelineSchedule schedule = PipelineSchedule::OneForwardOneBackward;
  /// Per stage: activations to the next one, or their gradients back from it; the last one's go to
  /// the first one's next chunk. Empty: sends take no time.
  std::vector<Seconds> send;
  bool pairs_passes = false;              ///< a forward and a backward pass run as one
  bool send_overlap = true;               ///< with the next pass; else they are exposed
  bool data_overlap = true;               ///< `gather` and `reduce` run on a stream of their own
  bool gathers_each_micro_batch = true;   ///< ZeRO 3 frees parameters after each pass
  bool reduces_each_micro_batch = false;  ///< ZeRO 2 and 3 keep shards of gradients only
  Slowdown slowdown;
  std::vector<Seconds> after;      ///< per stage: what follows the last pass, unoverlapped (tied
                                   ///< embeddings, parameter all-gather)
  std::vector<Seconds> optimizer;  ///< per stage
  double rank_noise = 0;           ///< relative standard deviation of what a rank's device takes
  double replicas = 1;             ///< that wait for each other: the slowest sets the pace
  PartBases bases = uniform_bases(Basis::Formula);  ///< what the times of each part rest on
};

/// The parts of a step; they sum to its length, exactly. Of the slowest stage.
struct StepTimes {
  Seconds total;
  PartTimes parts{};
  Seconds communication;  ///< all of it, exposed or not, on that stage
  PartBases bases = uniform_bases(Basis::Formula);

  /// One part and what it rests on.
  Cost cost(StepPart) const;
  /// The whole step: as firm as its weakest part that takes time.
  Cost cost() const;
  /// Exposed communication of all groups.
  Cost exposed() const;
  /// For other ranks: bubbles, and the slowest of the replicas.
  Seconds waiting() const;
  /// Kernels, launches and the optimizer: all that a rank does by itself.
  Seconds computation() const;
};

/// Each part and the whole so many times as long.
StepTimes scaled(StepTimes, double factor);

}  // namespace timeline
}  // namespace tofn
