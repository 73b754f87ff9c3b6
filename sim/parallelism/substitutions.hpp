#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/cluster/asked_collectives.hpp"
#include "sim/cluster/cluster.hpp"
#include "sim/cluster/precision.hpp"
#include "sim/core/rows.hpp"
#include "sim/parallelism/run_settings.hpp"

namespace tofn {
inline namespace parallelism {

/// What a run asks of its machine.
struct MachineDemand {
  Precision precision = Precision::Bf16;  ///< of its products
  bool fp8_attention = false;
  bool in_network_reduction = false;
  CudaGraphs cuda_graphs = CudaGraphs::None;
};

/// What of it the machine lacks, with what takes its place: `A100 SXM 80GB has no fp8: products run
/// in bf16`, a sentence each.
std::vector<std::string> substitutions(const MachineDemand&, const Cluster&);

/// The collectives that a cluster's calibration holds no table for, with their ranks where it does
/// hold one for others; nothing where every one has a table.
std::vector<std::string> substitutions(const MeasuredMachine&, const AskedCollectives&);

/// What a job's collectives have in place of what it asks of the cluster: by the calibration, and
/// of the network's switches where `asks_switches`. `ask`: asks for all of them of the cluster that
/// it is given.
std::vector<std::string> collective_substitutions(Cluster, bool asks_switches,
                                                  const std::function<void(const Cluster&)>& ask);

/// Adds the sentences that `all` does not hold yet.
void add_new(std::vector<std::string>& all, const std::vector<std::string>& sentences);

/// All of them in one cell; nothing without any.
Value substituted(const std::vector<std::string>& sentences);

}  // namespace parallelism
}  // namespace tofn
