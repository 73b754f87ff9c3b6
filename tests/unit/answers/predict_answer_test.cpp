#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/answers/workload_run.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

/// Assumptions about the machine that a run on this many accelerators makes.
std::string assumed_of(const Cluster& cluster, int accelerators) {
  Workload workload;
  workload.precision = Precision::Bf16;
  workload.optimizer.bytes_per_parameter.source = "made up";
  workload.gradients.bucket.source = "made up";
  OpenDescription run;
  run.workload = &workload;
  run.cluster = &cluster;
  RunPoint point;
  point.accelerators = accelerators;
  return fmt::format("{}", fmt::join(assumed_figures(run, point), ", "));
}

}  // namespace

TEST_CASE("what a run assumes is listed as far as its links reach") {
  Cluster cluster = toy_machine();
  CHECK(assumed_of(cluster, 64).empty());
  cluster.scale_up.in_switch_reduction.source = "";
  cluster.network->latency.source = "assumed";
  cluster.network->nodes_per_leaf.source = "assumed";
  cluster.network->spine_latency = {500_us, "assumed"};
  CHECK(assumed_of(cluster, 8) == "scale_up.in_switch_reduction false");
  CHECK(assumed_of(cluster, 32) == "scale_up.in_switch_reduction false, network.latency 5 us");
  CHECK(assumed_of(cluster, 64) ==
        "scale_up.in_switch_reduction false, network.latency 5 us, network.nodes_per_leaf 4, "
        "network.spine_latency 500 us");
}

TEST_CASE("of an accelerator's peaks the one is listed that the run computes at") {
  Cluster cluster = toy_machine();
  for (auto& peak : cluster.accelerator.peak)
    if (peak) peak->source = "assumed";
  CHECK(assumed_of(cluster, 8) == "accelerator.peak.bf16 100 TFLOP/s");
}
