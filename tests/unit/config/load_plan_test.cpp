#include "sim/config/load_plan.hpp"

#include "sim/yaml/named_file.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

StatedPlan plan_from(const std::string& text) {
  return load_plan(TemporaryFile("plan.yaml", text).path());
}

/// Message that refuses the file, without its name.
std::string load_plan_refusal_of(const std::string& text) {
  const TemporaryFile file("plan.yaml", text);
  const std::string whole = refusal([&] { load_plan(file.path()); });
  const std::string name = file.path().string();
  return whole.starts_with(name) ? whole.substr(name.size()) : whole;
}

}  // namespace

TEST_CASE("a plan's file tells what it states from what it leaves to the stack") {
  const StatedPlan plan =
      load_plan(std::filesystem::path(TOFN_SOURCE_DIR) / "configs/plans/gpt3-mlperf.yaml");
  const auto states = [&](const std::string& name) {
    return std::find(plan.stated.begin(), plan.stated.end(), name) != plan.stated.end();
  };
  CHECK(states("send_overlap"));
  CHECK(states("tensor_overlap"));  // the file's settings state it
  CHECK(states("data_overlap"));
  CHECK_FALSE(states("recompute"));
}

TEST_CASE("a plan states sizes, and what else is left open stays absent") {
  const StatedPlan plan = plan_from("name: a\ntensor_parallel: 4\ncontext_parallel: 2\n");
  CHECK(plan.name == "a");
  CHECK(plan.split.tensor_parallel_size == 4);
  CHECK(plan.split.context_parallel_size == 2);
  CHECK(!plan.gradient_accumulation);
  CHECK(!plan.settings.precision);
  CHECK(!plan.settings.cuda_graphs);
  CHECK(!plan.settings.in_network_reduction);
}

TEST_CASE("a plan's settings are read") {
  const StatedPlan plan = plan_from(
      "name: a\ntensor_parallel: 1\ncontext_parallel: 1\ngradient_accumulation: 4\n"
      "settings:\n  precision: fp8\n  fp8_attention: true\n  tensor_overlap: false\n"
      "  cuda_graphs: layer\n  in_network_reduction: true\n  overlap_gradient_reduction: false\n");
  CHECK(plan.gradient_accumulation == 4);
  CHECK(plan.settings.precision == Precision::Fp8);
  CHECK(plan.settings.fp8_attention == true);
  CHECK(plan.settings.tensor_overlap == false);
  CHECK(plan.settings.cuda_graphs == CudaGraphs::Layer);
  CHECK(plan.settings.in_network_reduction == true);
  CHECK(plan.settings.overlap_gradient_reduction == false);
  CHECK(plan.split.precision == Precision::Fp8);
  CHECK(plan.split.fp8_attention);
  CHECK(plan.split.in_network_reduction);
}

TEST_CASE("every way to split is read") {
  const StatedPlan plan = plan_from(
      "name: a\ntensor_parallel: 2\ncontext_parallel: 1\nmicro_batch: 3\npipeline_parallel: 4\n"
      "expert_parallel: 8\nchunks_per_stage: 5\nschedule: 1f1b\nsequence_parallel: true\n"
      "context_exchange: all-gather\nrecompute: full\nsharded: optimizer\n"
      "shards_in_domain: true\noffload_optimizer: true\naccelerators_per_domain: 64\n"
      "settings:\n  tensor_overlap: true\n  cuda_graphs: layer\n"
      "  overlap_gradient_reduction: false\n");
  CHECK(plan.micro_batch == 3);
  const Plan& split = plan.split;
  CHECK(split.accelerators() == 8);
  CHECK(split.pipeline_parallel_size == 4);
  CHECK(split.expert_parallel_size == 8);
  CHECK(split.chunks_per_stage == 5);
  CHECK(split.schedule == PipelineSchedule::OneForwardOneBackward);
  CHECK(split.sequence_parallel);
  CHECK(split.context_exchange == ContextExchange::AllGather);
  CHECK(split.recompute == Recompute::Full);
  CHECK(split.sharded == Sharded::Optimizer);
  CHECK(split.shards_in_domain);
  CHECK(split.offloads_optimizer);
  CHECK(split.accelerators_per_domain == 64);
  CHECK(split.tensor_overlap);
  CHECK(split.cuda_graphs == CudaGraphs::Layer);
  CHECK(!split.precision);
  CHECK(!split.fp8_attention);
  CHECK(!split.in_network_reduction);
  CHECK(!split.data_overlap);
  CHECK(plan_from("name: a\ntensor_parallel: 1\ncontext_parallel: 1\ncompression: top-k\n"
                  "schedule: gpipe\n")
            .split.compression == GradientCompression::TopK);
}

TEST_CASE("a plan's micro-batch makes the accumulation steps that the batch needs") {
  const std::string text = "name: a\ntensor_parallel: 2\ncontext_parallel: 1\nmicro_batch: 3\n";
  const Plan plan = plan_on(plan_from(text), 16, 96);
  CHECK(plan.data_parallel_size == 8);
  CHECK(plan.gradient_accumulation == 4);
  CHECK(plan.micro_batch == 3);
  CHECK(plan_on(plan_from("name: a\ntensor_parallel: 2\ncontext_parallel: 1\n"), 16, 96)
            .micro_batch == 12);
  CHECK(refusal([&] { plan_on(plan_from(text), 16, 100); }) ==
        "plan a does not split global batch 100 over 8 replicas: a whole number of steps of "
        "micro-batch 3 each");
  CHECK(refusal([&] { plan_on(plan_from(text + "gradient_accumulation: 2\n"), 16, 96); }) ==
        "plan a does not split global batch 96 over 8 replicas: 2 steps of micro-batch 3 each");
  CHECK(refusal([&] { plan_on(plan_from(text), 15, 96); }).starts_with("tp*pp*cp = 2*1*1"));
}

TEST_CASE("mistakes in a plan name their place") {
  CHECK(load_plan_refusal_of("name: a\ntensor_parallel: 0\ncontext_parallel: 1\n") ==
        ":2:18: tensor_parallel: must be at least 1");
  CHECK(load_plan_refusal_of(
            "name: a\ntensor_parallel: 1\ncontext_parallel: 1\ngradient_accumulation: 0\n") ==
        ":4:24: gradient_accumulation: must be above 0");
  CHECK(load_plan_refusal_of("name: a\ntensor_parallel: 1\n") ==
        ":1:1: missing key 'context_parallel'");
  CHECK(load_plan_refusal_of(
            "name: a\ntensor_parallel: 1\ncontext_parallel: 1\nsettings:\n  sharp: on\n") ==
        ":5:3: settings: unknown key 'sharp'; valid keys: precision, fp8_attention, "
        "tensor_overlap, cuda_graphs, in_network_reduction, overlap_gradient_reduction");
}

TEST_CASE("plans are found by name or by path") {
  const std::filesystem::path configs = TOFN_SOURCE_DIR "/configs";
  CHECK(files_in(configs, "plans").size() >= 3);
  CHECK(find_plan(configs, "lora-tp4-cp2").split.context_parallel_size == 2);
  CHECK(find_plan(configs, (configs / "plans/lora-tp4.yaml").string()).gradient_accumulation == 4);
  CHECK_THROWS_WITH(find_plan(configs, "lora-tp"), ContainsText("unknown plan 'lora-tp', did you"));
}

TEST_CASE("shipped plans of models keep their rules on the accelerators that they name") {
  const std::filesystem::path configs = TOFN_SOURCE_DIR "/configs";
  const Plan llama = plan_on(find_plan(configs, "llama3-70b-64"), 64, 128);
  CHECK(llama.data_parallel_size == 2);
  CHECK(llama.gradient_accumulation == 64);
  CHECK(plan_on(find_plan(configs, "fsdp"), 256, 512).sharded == Sharded::Parameters);
  const Plan gpt3 = plan_on(find_plan(configs, "gpt3-175b-megatron"), 64, 64);
  CHECK(gpt3.data_parallel_size == 1);
  CHECK(gpt3.gradient_accumulation == 64);
  CHECK(gpt3.chunks_per_stage == 3);
  CHECK(plan_on(find_plan(configs, "mixtral-ep8"), 64, 256).data_parallel_size == 4);
}
