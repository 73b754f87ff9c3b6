#include <fmt/format.h>

#include "sim/starter/starters.hpp"
#include "sim/yaml/read_in.hpp"

namespace tofn {
inline namespace starter {

std::string run_starter(const std::string& name, const std::string& model, double sequence_length) {
  return fmt::format(
      R"(# What a training does, on whatever machine: `tofn predict THIS CLUSTER -N 64`. Figures are
# ASSUMED: replace them. `tofn list fields run` has all keys, with their units and defaults.
format: 2
name: {}
title: one trillion tokens of {}
model: {}  # a name of `tofn list models`, or a file
trains: 1T tokens [assumed]  # all phases together; samples and epochs work as well
# plan:  # how a replica is split, or a name of `tofn list plans`; left out: tofn chooses one that fits
#   tensor_parallel: 8  # ranks that split a layer's products
#   context_parallel: 1  # ranks that split a sample
#   pipeline_parallel: 4  # stages
#   sharded: optimizer  # nothing, optimizer, gradients or parameters (ZeRO 0-3)
#   recompute: none  # none, selective or full
phases:  # one after the other; one of them may leave out what it trains
  - name: short warm-up
    trains: 10B tokens [assumed]
    batch: 2M tokens [assumed]  # of a step of all replicas; or so many samples
  - name: the rest
    batch: 4M tokens [assumed]
    sequence_length: {:g} [assumed]  # tokens of a sample
evaluation:  # leave it out where nothing is evaluated
  every: 1000 steps [assumed]
  takes: 512 samples [assumed]
start_up: 5 min [assumed]  # before the first step
failures:
  every: 50700 h [assumed]  # mean, of one accelerator
  restart: 15 min [assumed]  # until the job computes again
checkpoints:
  takes: 15 s [assumed]  # for which steps stand still; `every: 1 h` states the interval
)",
      yaml_text(name), model, yaml_text(model), sequence_length);
}

std::string sweep_starter(const std::string& name, const std::string& model) {
  return fmt::format(
      R"(# Many what-ifs at once: `tofn sweep THIS`. `tofn check` counts its points.
format: 2
name: {}
title: sizes and plans of {}
base:  # what all points have
  model: {}  # or workload: a name of `tofn list workloads`
  cluster: dgx-h100  # a name of `tofn list clusters`, or a file
  batch: 1024  # samples of a step
  tokens: 1T  # to train
  micro_batch: 1  # samples that a replica takes at once
axes:  # every combination is a point
  - accelerators: {{doubling: {{from: 64, to: 256}}}}  # 64, 128, 256
  - tp: [1, 2, 4, 8]  # any row of a plan: tp, pp, cp, ep, sharded, recompute, ...
  - sharded: [optimizer, parameters]
  - multiply: cluster.network.nic_bandwidth  # any figure of a file, times
    name: network_factor  # its column
    values: [1, 2]
constraints: [fits, tp <= gpus_per_node]
best:  # one point of these axes alone, by that figure
  of: [tp, sharded]
  by: least step_s
columns: [step_s, mfu, days, cost_usd, memory_gb, bottleneck]  # `tofn list figures`
)",
      yaml_text(name), model, yaml_text(model));
}

}  // namespace starter
}  // namespace tofn
