#include "sim/training/run.hpp"
#include "tests/catch.hpp"
#include "tests/unit/training/synthetic_runs.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("graphs that the chip of a run cannot capture are told") {
  const Workload workload = synthetic_workload();
  Cluster cluster = synthetic_cluster();
  cluster.accelerator.vendor = "Google";
  RunDescription run = synthetic_run(workload, cluster, 4);
  CHECK(substitutions(run, Precision::Bf16).empty());
  run.settings.cuda_graphs = CudaGraphs::FullIteration;
  CHECK(substitutions(run, Precision::Bf16) ==
        std::vector<std::string>{cluster.accelerator.name +
                                 " has no CUDA graphs: nothing is captured"});
}

TEST_CASE("attention in fp8 is held against the products of the run that calibrates") {
  const Workload workload = synthetic_workload();  // its file states bf16
  const Cluster cluster = synthetic_cluster();
  RunDescription run = synthetic_run(workload, cluster, 4);
  run.settings.fp8_attention = true;
  RunParameters parameters;
  parameters.compute.efficiency = 0.5;
  parameters.compute.precision = {.matmul = Precision::Fp8, .attention = Precision::Fp8};
  CHECK(substitutions(benchmark_run(run, parameters)).empty());
  const std::vector<std::string> in_bf16{
      "fp8 attention goes with products in fp8 or fp4: it runs in bf16"};
  parameters.compute.precision = {};
  CHECK(substitutions(benchmark_run(run, parameters)) == in_bf16);
  run.settings.precision = Precision::Bf16;  // a stated setting counts as requested
  parameters.compute.precision = {.matmul = Precision::Fp8, .attention = Precision::Fp8};
  CHECK(substitutions(benchmark_run(run, parameters)) == in_bf16);
}
