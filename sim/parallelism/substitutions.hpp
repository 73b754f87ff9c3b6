#pragma once

#include <string>
#include <vector>

#include "sim/cluster/cluster.hpp"
#include "sim/cluster/precision.hpp"
#include "sim/core/answered_collectives.hpp"
#include "sim/core/rows.hpp"
#include "sim/parallelism/plan_choices.hpp"
#include "sim/parallelism/run_settings.hpp"

namespace tofn {
inline namespace parallelism {

/// Features that a run requests of its machine.
struct MachineDemand {
  Precision precision = Precision::Bf16;  ///< of its products
  bool fp8_attention = false;
  bool in_network_reduction = false;
  CudaGraphs cuda_graphs = CudaGraphs::None;
  ExpertDispatch expert_dispatch = ExpertDispatch::AllToAll;
};

/// True if the network reduces in its switches.
bool can_reduce(const Cluster&);

/// Sentences on the features that the machine lacks, with their replacement: `A100 SXM 80GB has no
/// fp8: products run in bf16`.
std::vector<std::string> substitutions(const MachineDemand&, const Cluster&);

/// Returns text such as `all-gather over 2 ranks`.
std::string collective_words(const AnsweredCollective&);

/// Sentences on the collectives for which a cluster's calibration has no table, with their ranks if
/// it has one for other ranks, and on those far outside their table; empty if there are none.
std::vector<std::string> substitutions(const MeasuredMachine&, const AnsweredCollectives&);

/// Sentences on the substitutions for a job's collectives: by the cluster's calibration and, if
/// `asks_switches`, by the network's switches.
std::vector<std::string> collective_substitutions(const Cluster&, bool asks_switches,
                                                  const AnsweredCollectives&);

/// Adds the sentences that `all` lacks.
void add_new(std::vector<std::string>& all, const std::vector<std::string>& sentences);

/// Joins all sentences in one cell; empty if there are none.
Value substituted(const std::vector<std::string>& sentences);

}  // namespace parallelism
}  // namespace tofn
