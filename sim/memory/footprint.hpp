#pragma once

#include <array>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/core/quantity.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/memory/state_bytes.hpp"
#include "sim/model/stages.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace memory {

/// What a rank of one pipeline stage holds when it holds most.
struct Footprint {
  Bytes parameters;     ///< as passes use them
  Bytes gradients;      ///< and what compression left out, to be added to the next ones
  Bytes optimizer;      ///< on the accelerator
  Bytes activations;    ///< of the micro-batches in flight, but for those of `logits`
  Bytes logits;         ///< what the layers of the last stage keep: inputs, fp32 logits
  Bytes gathered;       ///< whole layers of what is sharded: gathered, or about to be reduced
  Bytes workspace;      ///< of the same layer, less what is no longer kept then; gradients of one
  Bytes communicators;  ///< the collective library's buffers
  Bytes context;        ///< driver, kernels and framework
  Bytes fragmentation;  ///< of the allocator
  Bytes host;           ///< beside all these, in the host's memory: an offloaded optimizer

  /// The sum of `footprint_parts`, in their order: of those that a reading holds.
  Bytes total(MemoryReading = MemoryReading::Device) const;
};

/// One part by name, and the first reading that holds it: reports and sums go over this table.
struct FootprintPart {
  std::string_view name;
  Bytes Footprint::*bytes;
  MemoryReading first = MemoryReading::Allocated;
};
inline constexpr std::array footprint_parts{
    FootprintPart{"parameters", &Footprint::parameters},
    FootprintPart{"gradients", &Footprint::gradients},
    FootprintPart{"optimizer", &Footprint::optimizer},
    FootprintPart{"activations", &Footprint::activations},
    FootprintPart{"logits", &Footprint::logits},
    FootprintPart{"gathered", &Footprint::gathered},
    FootprintPart{"workspace", &Footprint::workspace},
    FootprintPart{"communicators", &Footprint::communicators, MemoryReading::Device},
    FootprintPart{"context", &Footprint::context, MemoryReading::Device},
    FootprintPart{"fragmentation", &Footprint::fragmentation, MemoryReading::Reserved}};

/// What a footprint takes from neither the model nor the plan.
struct MemoryProfile {
  StateBytes state = half_state;
  /// Assumed: a CUDA context, its kernels and a framework's own.
  Bytes context{1024.0 * 1024 * 1024};
  /// Of each group of ranks. Assumed: 16 channels, a ring and a tree; 4 MiB each is NCCL's default
  /// (NCCL_BUFFSIZE).
  Bytes communicator{16.0 * 2 * 4 * 1024 * 1024};
  /// Assumed: of what comes and goes in a step (activations, logits, gathered layers, workspace).
  double fragmentation = 0.1;
  int domain_accelerators = 8;  ///< of a scale-up domain, where shards stay in it
  /// As a gradient travels: those that are not sharded are held as they are sent, where that is
  /// narrower and the plan does not say; shards add up in the usual width.
  double gradient_bytes = 4;
  bool keeps_layer_gradients = false;  ///< of one layer, in 16 bits, beside those that add up
  bool gradients_grow = false;  ///< with a step's one backward pass; else they are always there
};

/// Footprints of the pipeline's stages, first to last. ZeRO 1, 2 and 3 divide optimizer, gradients
/// and parameters by the ranks that hold the same ones (data and context parallel; those of experts
/// by ep fewer). InputError where the plan breaks a rule (`check_plan`).
std::vector<Footprint> footprints(std::span<const LayerWork>, const Plan&, const MemoryProfile&);

/// Calls `visit` with them until it says false, the layers of a plan that keeps the rules being
/// placed on its stages.
void visit_footprints(std::span<const LayerWork>, const PlacedLayers&, const Plan&,
                      const MemoryProfile&, const std::function<bool(const Footprint&)>& visit);

/// The stage that holds most, as one reads it.
Footprint largest_footprint(std::span<const LayerWork>, const Plan&, const MemoryProfile&,
                            MemoryReading = MemoryReading::Device);

/// Micro-batches whose activations a chunk of a stage holds when the stage holds most: what the
/// schedule says (`ScheduleTraits::in_flight`). Without a pipeline one, whatever the schedule.
int micro_batches_in_flight(const Plan&, int stage, int chunk);

/// What one rank needs for a moment while it runs a layer backward: the buffer of its largest
/// exchange that does not work in place (sequence parallelism gathers whole activations), and what
/// its loss holds, or all that the layer computes again and the largest gradient of an activation.
Bytes workspace_of(const LayerWork&);

}  // namespace memory
}  // namespace tofn
