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

/// Peak memory of a rank of one pipeline stage.
struct Footprint {
  Bytes parameters;     ///< in the format that passes use
  Bytes gradients;      ///< with the residuals of compression, which are added to the next ones
  Bytes optimizer;      ///< on the accelerator
  Bytes activations;    ///< of micro-batches in flight, except for `logits`
  Bytes logits;         ///< of the last stage's layers: inputs, fp32 logits
  Bytes gathered;       ///< whole sharded layers, gathered or not yet reduced
  Bytes workspace;      ///< of one backward step, less what is freed then; gradients of a layer
  Bytes communicators;  ///< the collective library's buffers
  Bytes context;        ///< of driver, kernels and framework
  Bytes fragmentation;  ///< of the allocator
  Bytes host;           ///< in host memory, not in the sum: an offloaded optimizer

  /// Sum of the `footprint_parts` that a reading includes.
  Bytes total(MemoryReading = MemoryReading::Device) const;
};

/// One part by name, and the first reading that includes it; reports and sums walk this table.
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

/// Inputs of a footprint other than the model and the plan.
struct MemoryProfile {
  StateBytes state = half_state;
  /// Bytes of a CUDA context, its kernels and the framework's own (assumed).
  Bytes context{1024.0 * 1024 * 1024};
  /// Buffer of each group of ranks. Assumed: 16 channels, a ring and a tree; 4 MiB each is NCCL's
  /// default (NCCL_BUFFSIZE).
  Bytes communicator{16.0 * 2 * 4 * 1024 * 1024};
  /// Share of the memory that comes and goes in a step: activations, logits, gathered layers and
  /// workspace (assumed).
  double fragmentation = 0.1;
  int domain_accelerators = 8;  ///< of a scale-up domain, if shards stay in one
  /// Bytes of a gradient as it travels. Gradients that are not sharded are kept in this format if
  /// it is narrower and the plan states none; shards accumulate in the default format.
  double gradient_bytes = 4;
  bool keeps_layer_gradients = false;  ///< 16-bit ones of one layer, beside the accumulated ones
  bool gradients_grow = false;  ///< during a step's only backward pass; otherwise always allocated
};

/// Returns the footprints of the pipeline's stages, first to last. ZeRO 1, 2 and 3 divide
/// optimizer, gradients and parameters by the ranks that hold the same ones (data and context
/// parallel; for experts, fewer by ep). InputError if the plan breaks a rule (`check_plan`).
std::vector<Footprint> footprints(std::span<const LayerWork>, const Plan&, const MemoryProfile&);

/// Calls `visit` with each stage's footprint until it returns false. The plan must keep the rules;
/// `PlacedLayers` are its layers on its stages.
void visit_footprints(std::span<const LayerWork>, const PlacedLayers&, const Plan&,
                      const MemoryProfile&, const std::function<bool(const Footprint&)>& visit);

/// Returns the footprint of the most loaded stage in that reading.
Footprint largest_footprint(std::span<const LayerWork>, const Plan&, const MemoryProfile&,
                            MemoryReading = MemoryReading::Device);

/// Micro-batches whose activations a chunk holds at the stage's peak, as the schedule states
/// (`ScheduleTraits::in_flight`); one without a pipeline.
int micro_batches_in_flight(const Plan&, int stage, int chunk);

/// Temporary bytes of one rank while it runs a layer backward: the largest exchange buffer that is
/// not in place (sequence parallelism gathers whole activations), and the loss buffers, or all
/// recomputed activations and the largest gradient of an activation.
Bytes workspace_of(const LayerWork&);

}  // namespace memory
}  // namespace tofn
