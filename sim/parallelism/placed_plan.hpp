#pragma once

#include <string>

#include "sim/cluster/cluster.hpp"
#include "sim/parallelism/plan.hpp"

namespace tofn {
inline namespace parallelism {

/// What a job uses of each scale-up domain that it does not fit in as a whole. What the plan
/// states; else as many whole segments as the domain holds. A segment never parts a group that fits
/// a domain: the ranks of tensor and context, of experts and, where a domain is several nodes, of a
/// stage (Megatron-MoE-ModelZoo: SEGMENT = EP*TP/4; Slurm's --segment). There it is the greatest
/// number of nodes that also divides the job's (NVIDIA-NeMo/Megatron-Bridge
/// scripts/performance/utils/executors.py, NVIDIA/dgxc-benchmarking job_launcher.py): 64 of 72 for
/// powers of two, 72 for multiples of 18 nodes; of 37 nodes one, of which a domain holds all 18. A
/// group that a whole domain parts may stay so, one that it does not part never is. A torus is
/// filled whole.
/// InputError where the plan states more than a domain has.
PlacedJob placed_job(const Plan&, const Cluster&);

/// Of each scale-up domain: that many of its accelerators.
int used_of_domain(const Plan&, const Cluster&);

/// `64 of each 72`: where a job leaves accelerators of its domains unused; else nothing.
std::string placement_words(const Plan&, const Cluster&);

}  // namespace parallelism
}  // namespace tofn
