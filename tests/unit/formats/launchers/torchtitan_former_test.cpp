#include "tests/unit/formats/launchers/trainings.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::string former =
    "[model]\nname = \"llama3\"\nflavor = \"8B\"\n[activation_checkpoint]\nmode = \"full\"\n"
    "[training]\nbatch_size = 2\nseq_len = 8192\ndata_parallel_replicate_degree = 1\n"
    "data_parallel_shard_degree = -1\ntensor_parallel_degree = 4\n[experimental]\n"
    "custom_import = \"x\"\ncontext_parallel_degree = 2\n";

}  // namespace

TEST_CASE("torchtitan's former names are those of now") {
  const LaunchReading read = reading(
      former + "pipeline_parallel_degree = 1\nenable_async_tensor_parallel = true\n", "a.toml", 64);
  const Plan& plan = read.training.plan;
  CHECK(plan.tensor_parallel_size == 4);
  CHECK(plan.context_parallel_size == 2);
  CHECK(plan.data_parallel_size == 8);
  CHECK(plan.micro_batch == 2);
  CHECK(plan.tensor_overlap);
  CHECK(plan.precision == Precision::Bf16);
  CHECK(read.not_understood.empty());
  CHECK(reading(former + "[float8]\nenable_float8_linear = true\n", "a.toml", 64)
            .training.plan.precision == Precision::Fp8);
  CHECK(plan.compile == Compile::Off);
  CHECK(reading(former + "novel = 3\n", "a.toml", 64).not_understood.size() == 1);
  const std::string script =
      "torchrun --nproc_per_node 8 -m torchtitan.train --training.batch_size 2 "
      "--activation_checkpoint.mode full --training.data_parallel_type ddp\n";
  CHECK(reading(script, "a.sh").training.plan.micro_batch == 2);
  CHECK(reading(script, "a.sh").not_understood.size() == 1);
  CHECK(reading("torchrun --nproc_per_node 8 -m torchtitan.train --training.compile "
                "--activation_checkpoint.mode full\n",
                "a.sh")
            .training.plan.compile == Compile::On);
}

TEST_CASE("a former pipeline of torchtitan's must say the size of its micro-batches") {
  const std::string staged = former + "pipeline_parallel_degree = 2\n";
  CHECK(refusal([&] { reading(staged, "a.toml", 64); }) ==
        "a.toml:15:28: experimental.pipeline_parallel_degree: former pipelines state no samples "
        "of a micro-batch: state parallelism.pipeline_parallel_microbatch_size");
  const Plan read =
      plan(staged + "[parallelism]\npipeline_parallel_microbatch_size = 1\n", "a.toml", 64);
  CHECK(read.pipeline_parallel_size == 2);
  CHECK(read.gradient_accumulation == 2);
}
