#include "sim/calibration/choose_run.hpp"

#include <cmath>

#include "sim/core/error.hpp"
#include "sim/evidence/shipped.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Shipped files, read once.
Shipped& shipped() {
  static Shipped read(configs);
  return read;
}

OpenDescription request(const char* workload, const char* cluster) {
  OpenDescription wish;
  wish.workload = shipped().library().find_workload(workload);
  wish.cluster = shipped().library().find_cluster(cluster);
  wish.settings.software_release =
      newest_release(shipped().calibration(), *wish.workload, wish.cluster->accelerator);
  return wish;
}

Plan plan_of(const OpenDescription& wish, int accelerators) {
  return choose_run(wish, accelerators, shipped().calibration()).plan;
}

std::string refusal_of(const OpenDescription& wish, int accelerators) {
  return refusal([&] { plan_of(wish, accelerators); });
}

}  // namespace

TEST_CASE("accumulation is the least that makes passes small enough") {
  REQUIRE(accumulation_for(96, 96) == 1);
  REQUIRE(accumulation_for(97, 96) == 1);  // 97 is prime: 97 passes of one sample would be absurd
  REQUIRE(accumulation_for(192, 96) == 2);
  REQUIRE(accumulation_for(256, 96) == 4);  // 3 does not divide it
  REQUIRE(accumulation_for(4, 1) == 4);
  REQUIRE(accumulation_for(7.5, 1) == 1);  // not whole, which is refused elsewhere
}

TEST_CASE("LoRA plans on H100 are those that NVIDIA published") {
  const OpenDescription wish = request("llama2_70b_lora", "dgx-h100");
  REQUIRE(wish.settings.software_release == "24.09");
  const Plan one_node = plan_of(wish, 8);  // eos_ngc24.09_nemo
  CHECK(one_node.tensor_parallel_size == 4);
  CHECK(one_node.context_parallel_size == 1);
  CHECK(one_node.gradient_accumulation == 4);
  CHECK(one_node.global_batch() == 8);
  const Plan eight_nodes = plan_of(wish, 64);  // eos_n8_ngc24.09_nemo
  CHECK(eight_nodes.context_parallel_size == 2);
  CHECK(eight_nodes.gradient_accumulation == 1);
  CHECK(eight_nodes.global_batch() == 8);
  const Plan largest = plan_of(wish, 1024);  // eos_n128_ngc24.09_nemo
  CHECK(largest.context_parallel_size == 2);
  CHECK(largest.global_batch() == 128);
}

TEST_CASE("batches of known convergence are rounded where the replicas do not divide them") {
  const Plan plan = plan_of(request("llama2_70b_lora", "dgx-h100"), 12);
  CHECK(plan.data_parallel_size == 3);
  CHECK(plan.global_batch() == 9);  // next multiple of 3 after 8; 6 is below every known batch
}

TEST_CASE("chosen passes are whole and no larger than calibration saw") {
  for (const char* name : {"bert", "retinanet", "stable_diffusion"}) {
    const OpenDescription wish = request(name, "dgx-h100");
    for (const int accelerators : {1, 5, 8, 24, 64, 384, 1024}) {
      INFO(name << " on " << accelerators);
      const RunDescription run = choose_run(wish, accelerators, shipped().calibration());
      CHECK(run.plan.accelerators() == accelerators);
      CHECK(run.plan.micro_batch == std::floor(run.plan.micro_batch));
      CHECK(run.plan.micro_batch <=
            parameters_of(run, shipped().calibration()).compute.largest_batch);
    }
  }
}

TEST_CASE("passes are not accumulated where a known batch needs none") {
  // On MI300X three passes of 192 samples are predicted to train BERT faster than one of 96.
  CHECK(plan_of(request("bert", "mi300x"), 8).gradient_accumulation == 1);
}

TEST_CASE("what is asked for is taken") {
  OpenDescription wish = request("bert", "dgx-h100");
  wish.global_batch = 1024;
  CHECK(plan_of(wish, 64).micro_batch == 16);
  wish.gradient_accumulation = 2;
  CHECK(plan_of(wish, 64).micro_batch == 8);
  OpenDescription lora = request("llama2_70b_lora", "dgx-h100");
  lora.tensor_parallel_size = 8;
  CHECK(plan_of(lora, 64).data_parallel_size == 8);
  // A batch of 8 has half a sample for each of 16 replicas, so the batch grows and the split stays.
  lora.tensor_parallel_size = 4;
  CHECK(plan_of(lora, 64).context_parallel_size == 1);
  CHECK(plan_of(lora, 64).global_batch() == 16);
}

TEST_CASE("numbers of accelerators that no plan or batch suits are refused") {
  const OpenDescription lora = request("llama2_70b_lora", "dgx-h100");
  CHECK(refusal_of(lora, 6) == "tp*pp*cp = 4*1*1 = 4 does not divide 6 accelerators");
  CHECK(refusal_of(lora, 2048) ==
        "no batch from 8 to 128, where convergence is known, splits over 256 replicas x 1 "
        "accumulation step into passes of at most 1 samples; choose one with --batch");
  OpenDescription whole_batch = lora;
  whole_batch.gradient_accumulation = 1;
  CHECK_THAT(refusal_of(whole_batch, 8),
             ContainsText("2 replicas x 1 accumulation step into passes"));
  OpenDescription bert = request("bert", "dgx-h100");
  bert.global_batch = 100;
  CHECK(refusal_of(bert, 64) ==
        "batch 100 does not split evenly over 64 replicas x 1 accumulation step; 64 and 128 do");
  bert.global_batch = 32;
  CHECK_THAT(refusal_of(bert, 64), ContainsText("less than one sample"));
}

TEST_CASE("a workload that nothing calibrates has assumed parameters") {
  const Calibration empty{std::vector<Observation>{}};
  const OpenDescription wish = request("bert", "dgx-h100");
  CHECK(newest_release(empty, *wish.workload, wish.cluster->accelerator).empty());
  const RunDescription run = choose_run(wish, 64, empty);
  CHECK(parameters_of(run, empty).compute.basis == Basis::Assumed);
}

TEST_CASE("the tensor parallel size is one that the accelerator is known to run well with") {
  // One-node runs of round 4.1 have tp 2 on H200 and none on B200. Larger runs of both chips have
  // tp 4 and cp 2.
  CHECK(plan_of(request("llama2_70b_lora", "dgx-h100"), 8).tensor_parallel_size == 4);
  CHECK(plan_of(request("llama2_70b_lora", "dgx-h200"), 8).tensor_parallel_size == 2);
  CHECK(plan_of(request("llama2_70b_lora", "dgx-b200"), 8).tensor_parallel_size == 1);
  for (const char* cluster : {"dgx-h100", "dgx-h200", "dgx-b200"}) {
    const Plan plan = plan_of(request("llama2_70b_lora", cluster), 64);
    CHECK(plan.tensor_parallel_size == 4);
    CHECK(plan.context_parallel_size == 2);
  }
}

TEST_CASE("a workload's own plan takes the passes that its batch and the memory leave") {
  OpenDescription flux = request("flux1", "gb200-nvl72");
  flux.global_batch = 2304;
  CHECK(plan_of(flux, 72).micro_batch == 32);
  flux.global_batch = 2048;  // 4 samples a replica, of passes of 32: ranks share them
  CHECK(plan_of(flux, 512).tensor_parallel_size > 1);
  flux.tensor_parallel_size = 1;
  CHECK(plan_of(flux, 512).micro_batch == 4);
  flux.tensor_parallel_size = std::nullopt;
  flux.global_batch = 500;
  CHECK(refusal_of(flux, 72) ==
        "batch 500 does not split evenly over 72 replicas x 1 accumulation step; 432 and 504 do");
  flux.global_batch = std::nullopt;
  const Plan even = plan_of(flux, 72);  // no known batch is a multiple of 72
  CHECK(std::fmod(even.global_batch(), 72) == 0);
  CHECK(even.global_batch() >= 512);

  OpenDescription small = request("flux1", "dgx-h100");  // 32 samples a pass take 126 GB of 85.5
  CHECK(plan_of(small, 7).global_batch() == 560);        // 532 would leave passes of 4
  small.global_batch = 512;
  CHECK(plan_of(small, 8).micro_batch == 16);
  CHECK(plan_of(small, 8).gradient_accumulation == 4);
  small.plan = small.workload->simulated->plan;
  CHECK(plan_of(small, 8).micro_batch == 32);
}

TEST_CASE("a batch that only replicas of more ranks share is tried, and trains sooner") {
  for (const char* cluster : {"gb200-nvl72", "dgx-h100"}) {
    INFO(cluster);
    const Plan plan = plan_of(request("llama31_8b", cluster), 128);
    CHECK(plan.global_batch() == 64);
    CHECK(plan.tensor_parallel_size == 2);
  }
  // 144 replicas are more than the largest batch of known convergence, 128.
  CHECK(plan_of(request("llama31_8b", "gb200-nvl72"), 144).global_batch() == 72);
}

TEST_CASE("experts beside split layers have sequence parallelism, unless a plan states none") {
  OpenDescription experts = request("gpt_oss_20b", "dgx-b200");
  CHECK_FALSE(plan_of(experts, 64).sequence_parallel);
  CHECK(plan_of(experts, 128).sequence_parallel);
  experts.tensor_parallel_size = 4;
  CHECK(plan_of(experts, 64).sequence_parallel);
  experts.plan = experts.workload->simulated->plan;
  experts.plan->tensor_parallel_size = 4;
  experts.tensor_parallel_size = std::nullopt;
  CHECK_THAT(refusal_of(experts, 64), ContainsText("needs sequence parallelism"));
}
