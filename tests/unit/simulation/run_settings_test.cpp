#include "sim/config/load_plan.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/simulation/step_substitutions.hpp"
#include "sim/yaml/yaml_reader.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/toy_model.hpp"

using namespace tofn;
using namespace tofn::literals;
using namespace tofn::test;

namespace {

SimulatedStep step_with(const std::string& settings, Seconds host_per_kernel = 6_us) {
  Cluster cluster = toy_machine();
  cluster.network->in_network_reduction.value = true;
  KernelProfile profile = toy_profile();
  profile.host_per_kernel = {host_per_kernel, "made up"};
  profile.gradient_bucket.value = 8_MB;  // about a layer
  Model model = toy_model();
  std::get<TransformerLayers>(model.parts[1].shape).fused_attention = true;
  const StatedPlan file = read_plan(YamlNode::parse(
      "name: a\ntensor_parallel: 2\ncontext_parallel: 1\nsettings: {" + settings + "}\n", "plan"));
  return simulate_step(model, plan_on(file, 32, 64), cluster, profile);
}

double seconds_with(const std::string& settings, Seconds host_per_kernel = 6_us) {
  return step_with(settings, host_per_kernel).times.total.base();
}

}  // namespace

// Tests that every key of `settings` in a plan file acts on the simulated step.
TEST_CASE("each setting of a plan file changes the step") {
  const double plain = seconds_with("precision: bf16");
  CHECK(seconds_with("precision: fp8") < plain);
  CHECK(seconds_with("precision: fp8, fp8_attention: true") < seconds_with("precision: fp8"));
  CHECK(seconds_with("tensor_overlap: true") < plain);
  CHECK(seconds_with("cuda_graphs: layer", 50_us) < seconds_with("precision: bf16", 50_us));
  CHECK(seconds_with("cuda_graphs: full_iteration", 10_ms) <
        seconds_with("cuda_graphs: layer", 10_ms));
  CHECK(seconds_with("in_network_reduction: true") < plain);
  CHECK(seconds_with("overlap_gradient_reduction: false") > plain);
}

TEST_CASE("utilisation and memory are of the precision that the chip runs") {
  const SimulatedStep fp8 = step_with("precision: fp8");
  CHECK(fp8.peak() == 200_TFLOPps);
  CHECK(fp8.precisions() == std::vector<std::string_view>{"fp8"});
  const SimulatedStep fp4 = step_with("precision: fp4");  // the toy has no fp4
  CHECK(fp4.precisions() == fp8.precisions());
  CHECK(fp4.times.total == fp8.times.total);
  CHECK(fp4.model_flops_utilisation() == fp8.model_flops_utilisation());
  CHECK(fp4.memory.front().total() == fp8.memory.front().total());
  CHECK(fp8.substitutions.empty());
  CHECK(fp4.substitutions == std::vector<std::string>{"toy has no fp4: products run in fp8"});
}

TEST_CASE("graphs of segments are said to be taken for layers'") {
  const SimulatedStep segments = step_with("cuda_graphs: segmented");
  CHECK(segments.times.total == step_with("cuda_graphs: layer").times.total);
  CHECK(segments.substitutions ==
        std::vector<std::string>{"CUDA graphs of segments are modelled as one for each layer's "
                                 "pass"});
}

TEST_CASE("beyond the accelerators that a stack was measured on, its family is named") {
  KernelProfile profile = toy_profile();
  profile.name = "own";
  profile.family = "likes";
  const auto stated = [&](int measured_on, int replicas) {
    profile.measured_on = measured_on;
    return simulate_step(toy_model(), {.data_parallel_size = replicas}, toy_machine(), profile)
        .substitutions;
  };
  CHECK(stated(0, 4).empty());
  CHECK(stated(4, 4).empty());
  CHECK(stated(2, 4) == std::vector<std::string>{
                            "stack own was measured on 2 accelerators at most; what more of them "
                            "add to a step follows its family, likes"});
  profile.family.clear();
  CHECK(stated(2, 4).front().ends_with("follows the average of all frameworks"));
}

TEST_CASE("on chips without graphs the host starts every kernel, but of stacks that compile") {
  const Model model = toy_model();
  Cluster cluster = toy_machine();
  cluster.accelerator.vendor = "Google";
  KernelProfile profile = toy_profile();
  profile.host_per_kernel = {10_ms, "made up"};
  const auto step = [&](CudaGraphs graphs) {
    return simulate_step(model, {.cuda_graphs = graphs}, cluster, profile);
  };
  const Seconds launched = step(CudaGraphs::None).times.total;
  for (const CudaGraphs graphs :
       {CudaGraphs::Segmented, CudaGraphs::Layer, CudaGraphs::FullIteration}) {
    CHECK(step(graphs).times.total == launched);
    CHECK(step(graphs).substitutions ==
          std::vector<std::string>{"toy has no CUDA graphs: nothing is captured"});
  }
  CHECK(step(CudaGraphs::None).substitutions.empty());
  profile.framework_defaults.cuda_graphs = CudaGraphs::FullIteration;
  CHECK(step(CudaGraphs::FullIteration).times.total < launched);
  CHECK(step(CudaGraphs::FullIteration).substitutions.empty());
  CHECK(step(CudaGraphs::Layer).times.total == step(CudaGraphs::FullIteration).times.total);
  CHECK(step(CudaGraphs::None).times.total == launched);
}

TEST_CASE("on chips of other makers than a stack was measured on, that is told") {
  KernelProfile profile = toy_profile();
  profile.name = "own";
  Cluster cluster = toy_machine();
  const auto told = [&](const char* vendor) {
    cluster.accelerator.vendor = vendor;
    return simulate_step(toy_model(), {}, cluster, profile).substitutions;
  };
  CHECK(told("Google").empty());
  profile.vendors = {"NVIDIA", "AMD"};
  CHECK(told("AMD").empty());
  CHECK(told("Google") ==
        std::vector<std::string>{"stack own was measured on chips of NVIDIA and AMD alone, and is "
                                 "not known to run on toy of Google"});
}

TEST_CASE("micro-batches of a part of a sample are told") {
  const auto reported = [](double samples) {
    return substitutions(toy_model(), {.micro_batch = samples}, toy_machine());
  };
  CHECK(reported(4).empty());
  REQUIRE(reported(25.0 / 6).size() == 1);
  CHECK(reported(25.0 / 6).front() ==
        "micro-batches of 4.16667 samples are a mean: programs run whole ones, and wait for the "
        "largest");
}

TEST_CASE("latent attention that a model has not is not recomputed, and that is told") {
  const Cluster cluster = toy_machine();
  const Plan plan{.recompute = Recompute::Selective,
                  .recompute_modules = {RecomputeModule::LatentUpProjection}};
  Model model = toy_model();
  CHECK(substitutions(model, plan, cluster) ==
        std::vector<std::string>{"toy has no latent attention: there is none to recompute"});
  std::get<TransformerLayers>(model.parts[1].shape).latent = LatentAttention{};
  CHECK(substitutions(model, plan, cluster).empty());
}

TEST_CASE("the printed plan is without what the machine lacks") {
  Cluster cluster = toy_machine();
  cluster.accelerator.vendor = "Google";
  cluster.network->in_network_reduction.value = false;
  const Plan requested{.data_parallel_size = 2,
                       .expert_parallel_size = 2,
                       .expert_dispatch = ExpertDispatch::DeepEp,
                       .cuda_graphs = CudaGraphs::Layer,
                       .fp8_attention = true,
                       .in_network_reduction = true};
  const SimulatedStep step = simulate_step(toy_mixture(), requested, cluster, toy_profile());
  const Plan printed = plan_that_runs(step);
  CHECK(printed.expert_dispatch == ExpertDispatch::AllToAll);
  CHECK(printed.cuda_graphs == CudaGraphs::None);
  CHECK_FALSE(printed.fp8_attention);
  CHECK_FALSE(printed.in_network_reduction);
  Plan plain = requested;
  plain.expert_dispatch = ExpertDispatch::AllToAll;
  CHECK(step.times.total ==
        simulate_step(toy_mixture(), plain, cluster, toy_profile()).times.total);
  cluster.accelerator.vendor = "NVIDIA";
  CHECK(plan_that_runs(simulate_step(toy_mixture(), requested, cluster, toy_profile()))
            .expert_dispatch == ExpertDispatch::DeepEp);
}
