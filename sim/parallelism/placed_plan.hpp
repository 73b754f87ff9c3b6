#pragma once

#include <string>

#include "sim/cluster/cluster.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace parallelism {

/// Number of accelerators that a job uses of each scale-up domain, if it needs more than one
/// domain: as the plan states, otherwise as many whole segments as the domain holds. A segment
/// never divides a group that fits a domain: the ranks of tensor and context, of experts and, if a
/// domain has several nodes, of a stage (Megatron-MoE-ModelZoo: SEGMENT = EP*TP/4; Slurm's
/// --segment). In such a domain it is the greatest number of nodes that also divides the job's
/// (NVIDIA-NeMo/Megatron-Bridge scripts/performance/utils/executors.py, NVIDIA/dgxc-benchmarking
/// job_launcher.py): 64 of 72 for powers of two, 72 for multiples of 18 nodes; for 37 nodes it is
/// one node, and a domain holds all 18. A group that a whole domain divides may stay divided, but
/// one that it does not divide never is. A torus is filled whole.
/// InputError if the plan states more than a domain has.
PlacedJob placed_job(const Plan&, const Cluster&);

/// Number of accelerators that the job uses of each scale-up domain.
int used_of_domain(const Plan&, const Cluster&);

/// Text `64 of each 72` if a job leaves accelerators of its domains unused; otherwise empty.
std::string placement_words(const Plan&, const Cluster&);

}  // namespace parallelism
}  // namespace tofn
