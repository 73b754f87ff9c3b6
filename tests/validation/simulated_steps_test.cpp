#include <string>
#include <vector>

#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/core/statistics.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

// Compares steps from dimensions on H100, without fitted figures, with reports of one-node systems
// of MLPerf Training v4.1. The tests state the errors and bound them.
using namespace tofn;
using namespace tofn::test;

namespace {

/// Median steady step in ms of the systems of eight H100 with this batch.
double published_ms(const std::string& benchmark, double batch) {
  std::vector<double> steps;
  for (const PublishedRow& row : read_published_table(default_published_table(configs)))
    if (row.inputs.benchmark == benchmark && row.inputs.accelerators == 8 &&
        row.inputs.accelerator.find("H100-SXM") != std::string::npos &&
        row.inputs.global_batch == batch && row.outcome.step_ms)
      steps.push_back(*row.outcome.step_ms);
  REQUIRE(steps.size() >= 4);
  return median(steps);
}

double simulated_ms(const std::string& model_name, Plan plan, Precision precision) {
  Model model = find_model(configs, model_name);
  model.precision = precision;
  static const Library library = Library::load(configs);
  return simulate_step(model, plan, *library.find_cluster("dgx-h100"),
                       find_kernel_profile(configs, "megatron"))
             .times.total.base() *
         1e3;
}

/// Plan of a submitter: the optimizer is sharded over the node (apex and NeMo), except for
/// RetinaNet with PyTorch's DDP.
Plan data_parallel(double samples, Sharded sharded = Sharded::Optimizer) {
  Plan plan{.data_parallel_size = 8, .micro_batch = samples, .sharded = sharded};
  plan.cuda_graphs = CudaGraphs::FullIteration;
  return plan;
}

}  // namespace

// The bounds were read off results.
TEST_CASE("drift alarm: what a step from dimensions is off on H100, where nothing is fitted") {
  const auto ratio = [](double simulated, double published) { return simulated / published; };
  CHECK_THAT(ratio(simulated_ms("stable-diffusion-v2", data_parallel(32), Precision::Fp16),
                   published_ms("stable_diffusion", 256)),
             WithinAbs(0.944, 0.03));
  // Two sequences share a slot of 512 tokens, as submitters pack them.
  CHECK_THAT(ratio(simulated_ms("bert-large", data_parallel(48), Precision::Fp8),
                   published_ms("bert", 768)),
             WithinAbs(1.073, 0.03));
  Plan lora{.tensor_parallel_size = 4, .data_parallel_size = 2, .gradient_accumulation = 4};
  lora.sequence_parallel = true;
  CHECK_THAT(ratio(simulated_ms("llama2-70b-lora", lora, Precision::Fp8),
                   published_ms("llama2_70b_lora", 8)),
             WithinAbs(0.90, 0.03));
  // Libraries fuse convolution, norm and activation, which the model counts as separate kernels.
  CHECK_THAT(ratio(simulated_ms("retinanet-resnext50", data_parallel(32, Sharded::Nothing),
                                Precision::Fp16),
                   published_ms("retinanet", 256)),
             WithinAbs(1.33, 0.03));
}
