#pragma once

#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/simulation/communicators.hpp"

namespace tofn {

/// A node of a job that is slower than the others. Factors are at least 1.
struct SlowNode {
  double kernels = 1;  ///< take that many times as long
  double link = 1;     ///< so does a byte on one of its NICs, or, where the job does without a
                       ///< network, on one accelerator's scale-up link
  int stage = 0;       ///< a pipeline stage that it holds; the replica is the slowest one's

  bool is_slower() const { return kernels != 1 || link != 1; }
};

/// What a pipeline stage runs on.
struct StageHardware {
  Accelerator accelerator;
  KernelProfile profile;
  Communicators communicators;
};

/// The hardware of a job's stages. Ranks of a group wait for the slowest of them, and a collective
/// for its slowest link: all of a stage is as slow as the slow node's part of it.
struct JobHardware {
  StageHardware usual;
  StageHardware slow;
  int first_slow = 0;  ///< stages from this one on ...
  int end_slow = 0;    ///< ... to before this one

  bool is_slow(int stage) const { return stage >= first_slow && stage < end_slow; }
};

/// InputError where the plan has no such stage, ep does not divide the plan's ranks, or the job
/// needs a network that the cluster lacks.
JobHardware job_hardware(const Plan&, const Cluster&, const KernelProfile&, const SlowNode&);

}  // namespace tofn
