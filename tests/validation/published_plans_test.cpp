#include <filesystem>
#include <string>

#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

// Plans of well-known runs as their authors state them: they are accepted, and reach the
// utilisation of such runs. No figure is fitted to these. The kernels are those of Megatron-LM in
// 2022 (arXiv 2205.05198), which is a third faster than the stacks of 2021 and early 2022 that
// trained Megatron-Turing and BLOOM. The tests state the errors and bound them.
using namespace tofn;
using namespace tofn::test;

namespace {

SimulatedStep step_of(const std::string& model, const std::string& cluster, const std::string& plan,
                      int accelerators, double batch) {
  static const Library library = Library::load(configs);
  return simulate_step(find_model(configs, model),
                       plan_on(find_plan(configs, plan), accelerators, batch),
                       *library.find_cluster(cluster), find_kernel_profile(configs, "megatron"));
}

void check_within(double value, double low, double high) {
  CHECK(value >= low);
  CHECK(value <= high);
}

}  // namespace

// arXiv 2407.21783, table 4: 41 % of the peak on 16,384 GPUs.
TEST_CASE("Llama 3 405B at its authors' plan") {
  const SimulatedStep step = step_of("llama3-405b", "dgx-h100", "llama3-405b", 16384, 2048);
  CHECK(step.plan.data_parallel_size == 128);
  CHECK(to_text(step.plan.stage_layers) == "0 + 126 x 1 + 0");
  check_within(step.model_flops_utilisation(), 0.3, 0.5);
}

TEST_CASE("Llama 3.1 405B at NVIDIA's plan") {
  const SimulatedStep step = step_of("llama3-405b", "dgx-h100", "llama31-405b-mlperf", 1024, 1152);
  CHECK(to_text(step.plan.stage_layers) == "1 + 62 x 2 + 1");
  check_within(step.model_flops_utilisation(), 0.3, 0.6);
}

// arXiv 2201.11990, section 2.3: 60.1, 50.2 and 44.4 s on 280, 350 and 420 nodes.
TEST_CASE("Megatron-Turing 530B on three sizes") {
  const auto ratio = [](int accelerators, double seconds) {
    const SimulatedStep step =
        step_of("megatron-530b", "dgx-a100", "megatron-530b", accelerators, 1920);
    check_within(step.model_flops_utilisation(), 0.25, 0.45);
    return step.times.total.base() / seconds;
  };
  CHECK_THAT(ratio(2240, 60.1), WithinAbs(0.76, 0.03));
  CHECK_THAT(ratio(2800, 50.2), WithinAbs(0.76, 0.03));
  CHECK_THAT(ratio(3360, 44.4), WithinAbs(0.74, 0.03));
}

// github.com/bigscience-workshop/bigscience, train/tr11-176B-ml/chronicles.md: 105.9 to 107.5 s.
TEST_CASE("BLOOM 176B on its 384 accelerators") {
  const SimulatedStep step = step_of("bloom-176b", "dgx-a100", "bloom-176b", 384, 2048);
  CHECK(to_text(step.plan.stage_layers) == "5 + 10 x 6 + 5");
  CHECK_THAT(step.times.total.base() / 106.5, WithinAbs(0.74, 0.03));
  check_within(step.model_flops_utilisation(), 0.3, 0.5);
}

TEST_CASE("Mixtral 8x7B with an expert of each layer on each of eight ranks") {
  const SimulatedStep step = step_of("mixtral-8x7b", "dgx-h100", "mixtral-ep8", 64, 256);
  check_within(step.model_flops_utilisation(), 0.2, 0.55);
}
