#include "sim/calibration/calibration.hpp"
#include "sim/evidence/shipped.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;

namespace {

/// Calibration by the shipped one-domain rows, for runs on a DGX H100 cluster.
struct Taught {
  Shipped shipped{configs};
  const Library& library = shipped.library();
  const Calibration& calibration = shipped.calibration();

  RunDescription run(const char* workload, int accelerators, double batch, int tp = 1, int cp = 1,
                     int accumulation = 1) const {
    RunDescription run;
    run.workload = library.find_workload(workload);
    run.cluster = library.find_cluster("dgx-h100");
    run.plan = make_plan({.accelerators = accelerators,
                          .global_batch = batch,
                          .tensor_parallel_size = tp,
                          .context_parallel_size = cp,
                          .gradient_accumulation = accumulation});
    run.settings.software_release = "24.09";
    return run;
  }
};

}  // namespace

TEST_CASE("attention that a run does not state follows the runs of its split") {
  const Taught taught;
  const auto one_node =
      taught.calibration.profile_for(taught.run("llama2_70b_lora", 8, 8, 4, 1, 4));
  CHECK(one_node.precision.attention == Precision::Fp8);
  CHECK(one_node.split_was_observed);
  // No one-node H100 run splits the context, and without an example attention stays in 16 bit.
  const auto split = taught.calibration.profile_for(taught.run("llama2_70b_lora", 64, 8, 4, 2));
  CHECK(split.precision.attention == Precision::Bf16);
  CHECK_FALSE(split.split_was_observed);
}

TEST_CASE("the overhead of captured iterations is uncertain for a run that captures less") {
  const Taught taught;
  RunDescription run = taught.run("stable_diffusion", 64, 1024);
  run.settings.cuda_graphs = CudaGraphs::FullIteration;
  const auto captured = taught.calibration.profile_for(run);
  run.settings.cuda_graphs = CudaGraphs::None;
  const auto eager = taught.calibration.profile_for(run);
  CHECK(captured.overhead_basis != Basis::Assumed);
  CHECK(eager.overhead_basis == Basis::Assumed);
  CHECK(eager.overhead_spread > captured.overhead_spread + 0.2);
}

TEST_CASE("graphs that a chip cannot capture change nothing of what is known of its run") {
  const Taught taught;
  RunDescription run = taught.run("stable_diffusion", 64, 1024);
  Cluster gaudi = *run.cluster;
  gaudi.accelerator.vendor = "Intel";
  run.cluster = &gaudi;
  const auto typical = taught.calibration.profile_for(run);
  run.settings.cuda_graphs = CudaGraphs::Layer;
  const auto request = taught.calibration.profile_for(run);
  CHECK(request.overhead == typical.overhead);
  CHECK(request.overhead_spread == typical.overhead_spread);
  CHECK(request.host == typical.host);
}

TEST_CASE("start-up and evaluation of more than one domain are extrapolated, and never negative") {
  const Taught taught;
  const RunDescription small = taught.run("retinanet", 8, 256);
  const RunDescription large = taught.run("retinanet", 64, 256);
  CHECK(taught.calibration.parameters_for(small).fixed.basis == Basis::Interpolated);
  CHECK(taught.calibration.parameters_for(small).evaluation_factor.basis == Basis::Interpolated);
  CHECK(taught.calibration.parameters_for(large).fixed.basis == Basis::Extrapolated);
  CHECK(taught.calibration.parameters_for(large).evaluation_factor.basis == Basis::Extrapolated);
  const RunDescription bert = taught.run("bert", 64, 4608);
  const RunEstimate run = estimate(benchmark_run(bert, taught.calibration.parameters_for(bert)));
  CHECK(run.interval(figure_of(&RunFigures::start_up_seconds)).low >= 0);
}
