#pragma once

#include "sim/parallelism/plan.hpp"

namespace tofn {

/// Micro-batches whose activations a chunk of a stage holds when the stage holds most. Without a
/// pipeline one, whatever the schedule. Where all forward passes come first (GPipe): all.
/// 1F1B and zero-bubble (ZB-H1 of arXiv 2401.10241 keeps 1F1B's peak): those that the stages behind
/// have not returned, p - s. Interleaved (Megatron-LM's order): 2(p - s - 1) + (v - 1)p + 1 chunks,
/// which makes 1 + (p - 1)/(pv) of all layers on the first stage (arXiv 2205.05198, section 4.2.3).
int micro_batches_in_flight(const Plan&, int stage, int chunk);

}  // namespace tofn
