#include <string>

#include "tests/bad_configs/program.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_file.hpp"

// Tests of answers for a machine, or its calibration, that lacks what was requested.
using namespace tofn::test;

namespace {

std::string substitutions_answer(const std::string& arguments) {
  INFO("tofn " << arguments);
  const Outcome outcome = run_program(arguments);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.errors.empty());
  return outcome.output;
}

const std::string no_fp8 = "A100 SXM 80GB has no fp8: products run in bf16";
const std::string in_table = "       " + no_fp8 + '\n';
const std::string in_json = "\"substituted\": \"" + no_fp8 + '"';

}  // namespace

TEST_CASE("micro-batches that do not divide a replica's samples are told as they run") {
  const std::string job = "predict llama3-8b dgx-h100 -N 8 --tokens 100M --batch 64 --tp 4 ";
  CHECK_THAT(substitutions_answer(job + "--micro-batch 3"),
             ContainsText("micro-batches of 3 do not divide the 32 samples of a replica"));
  CHECK_THAT(substitutions_answer(job + "--micro-batch 4"), !ContainsText("do not divide"));
  CHECK_THAT(
      substitutions_answer("predict llama3-8b dgx-h100 -N 8 --tokens 100M --batch 8 --tp 4 "
                           "--micro-batch 16"),
      ContainsText("micro-batches of 16 exceed the 4 samples of a replica, which runs 1 of 4"));
}

TEST_CASE("of what trains in part, the critical batch is said to be pre-training's") {
  const std::string job = "predict llama3-8b dgx-h100 -N 8 --tokens 100M --batch 8 --details";
  CHECK_THAT(substitutions_answer(job + " --lora-rank 16"), ContainsText("pre-training:"));
  CHECK_THAT(substitutions_answer(job + " --recompute full"), !ContainsText("pre-training:"));
}

TEST_CASE("a precision that the chip lacks is replaced and told, asked for or not") {
  const std::string lora =
      "step llama2-70b-lora dgx-a100 -N 8 --sharded parameters --recompute full --replica-batch 1 "
      "--stack megatron";
  for (const std::string options : {"", " --precision fp8"}) {
    const std::string text = substitutions_answer(lora + options);
    CHECK_THAT(text, ContainsText(in_table));
    CHECK_THAT(text, ContainsText("% of bf16, "));
    CHECK_THAT(substitutions_answer(lora + options + " --format json"), ContainsText(in_json));
  }
  const std::string bf16 = substitutions_answer(lora + " --precision bf16 --format csv");
  CHECK_THAT(substitutions_answer(lora + " --precision bf16"), !ContainsText("products run in"));
  CHECK_THAT(substitutions_answer("predict lora dgx-a100 -N 8"), ContainsText(in_table));
  CHECK_THAT(substitutions_answer("predict lora dgx-a100 -N 8 --details"),
             ContainsText("bf16 GEMMs, bf16 attention"));
  CHECK_THAT(substitutions_answer("predict lora dgx-a100 -N 8 --format json"),
             ContainsText(in_json));
  CHECK_THAT(substitutions_answer("predict lora dgx-h100 -N 8"), !ContainsText("products run in"));
  CHECK_THAT(substitutions_answer("predict lora dgx-h100 -N 8 --precision fp4"),
             ContainsText("       H100 SXM has no fp4: products run in fp8\n"));
}

TEST_CASE("a model's own name means the model in every command") {
  const std::string job =
      " llama2-70b-lora dgx-h100 -N 8 --batch 8 --sharded parameters --recompute full";
  CHECK_THAT(substitutions_answer("step" + job), ContainsText("llama2-70b-lora on 8 x H100 SXM"));
  CHECK_THAT(substitutions_answer("predict" + job + " --samples 1000"),
             ContainsText("llama2-70b-lora, 8.192M tokens on 8 x H100 SXM"));
}

TEST_CASE("scaling tells what is replaced") {
  const std::string job =
      "scale llama2-70b-lora dgx-a100 -N 8,16,32 --replica-batch 1 --stack megatron";
  CHECK_THAT(substitutions_answer(job), ContainsText(in_table));
  CHECK_THAT(substitutions_answer(job + " --format json"), ContainsText(in_json));
  CHECK_THAT(substitutions_answer("scale lora dgx-a100 -N 8,16,32"), ContainsText(in_table));
}

TEST_CASE("sweeps tell what is replaced, below the rows and in a column") {
  const TemporaryFile sweep("sweep.yaml",
                            "name: a\ntitle: a test\nbase: {model: llama3-8b, replica_batch: 1,\n"
                            "  plan: data-parallel}\n"
                            "axes:\n  - path: cluster\n    values: [dgx-h100, dgx-a100]\n"
                            "  - path: model.precision\n    values: [bf16, fp8]\n"
                            "columns: [mfu, substituted]\n");
  const Outcome outcome = run_program("sweep '" + sweep.path().string() + "'");
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.output, ContainsText("4 rows, 4 of the rows do not fit the memory\n"));
  CHECK(outcome.output.find(no_fp8) != outcome.output.rfind(no_fp8));
}

TEST_CASE("collectives that a calibration lacks are told") {
  const std::string lacks = "calibration h100-dell-2x8 holds no table for ";
  const std::string step =
      "step llama3-8b dgx-h100 -N 16 --batch 16 --sharded parameters --calibration h100-dell-2x8";
  CHECK_THAT(substitutions_answer(step),
             ContainsText("       " + lacks + "reduce-scatter, all-gather: its all-reduce"));
  CHECK_THAT(substitutions_answer(step + " --format json"),
             ContainsText("\"substituted\": \"" + lacks));
  CHECK_THAT(
      substitutions_answer("predict bert dgx-h100 -N 16 --batch 1536 --calibration h100-dell-2x8"),
      ContainsText("       " + lacks + "all-gather: formulas answer there"));
  CHECK_THAT(
      substitutions_answer("scale llama3-8b dgx-h100 -N 16,32 --batch 32 --sharded parameters "
                           "--calibration h100-dell-2x8"),
      ContainsText("       " + lacks));
  const std::string collective =
      "collective --cluster dgx-h100 --ranks 16 --size 1GiB --calibration h100-dell-2x8";
  CHECK_THAT(substitutions_answer(collective + " --collective all-gather"),
             ContainsText("carried over by formula from its all-reduce"));
  CHECK_THAT(substitutions_answer(collective + " --collective all-to-all"),
             ContainsText("h100-dell-2x8 holds no table for all-to-all over 16 ranks\n"));
  CHECK_THAT(substitutions_answer(collective + " --collective all-to-all --format json"),
             ContainsText("\"calibrated_us\": null"));
  CHECK_THAT(substitutions_answer(collective + " --format json"),
             !ContainsText("\"calibrated_us\": null"));
}

namespace {

/// Microseconds in the first row of an answer in CSV.
double first_time(const std::string& arguments) {
  const Outcome outcome = run_program(arguments + " --format csv");
  INFO("tofn " << arguments << '\n' << outcome.output << outcome.errors);
  REQUIRE(outcome.exit_code == 0);
  CHECK(outcome.output.starts_with("algorithm,protocol,library,time_us,"));
  const std::string row = outcome.output.substr(outcome.output.find('\n') + 1);
  REQUIRE(row.starts_with("calibration,,NCCL,"));
  return std::stod(row.substr(std::string("calibration,,NCCL,").size()));
}

}  // namespace

TEST_CASE("a measured collective on changed links changes as its formula does") {
  const std::string collective = "collective --cluster dgx-h100 --ranks 64 --size ";
  const std::string faster = " --times network.nic_bandwidth=2";
  CHECK(first_time(collective + "1MiB" + faster) <= first_time(collective + "1MiB"));
  const std::string of_links = "collective --cluster abci-a --ranks 64 --size 32MiB";
  CHECK(first_time(of_links + faster) < 0.8 * first_time(of_links));
  CHECK_THAT(run_program(collective + "1MiB" + faster).output,
             ContainsText("carried over by formula from 64 ranks of dgx-h100 without --times"));
  const std::string step =
      "step llama3-8b dgx-h100 -N 64 --batch 64 --plan data-parallel --calibration h100-gjaion "
      "--format csv";
  CHECK(run_program(step + " --times network.nic_bandwidth=0.25").output !=
        run_program(step).output);
}

TEST_CASE("the end of a table makes no jump") {
  const std::string collective = "collective --cluster abci-a --ranks 64 --size ";
  const double last = first_time(collective + "33554432");
  CHECK(first_time(collective + "33554433") >= last);
  const double beyond = first_time(collective + "40e6");
  CHECK(beyond > last);
  CHECK(beyond == first_time(collective + "40MB --calibration a100-abci"));
}

TEST_CASE("what a config.json leaves open is told") {
  const std::string file = TOFN_SOURCE_DIR "/tests/unit/config/hugging_face/llama-3.1-8b.json";
  const std::string stated =
      "sequence length 4096, since the file gives only a maximum of 131072 (--sequence-length)";
  const std::string eight = " dgx-h100 --stack megatron --plan fsdp -N 8";
  CHECK_THAT(substitutions_answer("step " + file + eight + " --replica-batch 1"),
             ContainsText("       " + stated + '\n'));
  CHECK_THAT(substitutions_answer("predict " + file + eight + " --tokens 1B"),
             ContainsText("       " + stated + '\n'));
  CHECK_THAT(
      substitutions_answer("scale " + file + eight + ",16,32 --replica-batch 1 --format json"),
      ContainsText(stated));
  CHECK_THAT(
      substitutions_answer("step " + file + eight + " --replica-batch 1 --sequence-length 8192"),
      !ContainsText("sequence length 8192, since"));
  CHECK_THAT(substitutions_answer("check " + file), ContainsText("8030261248 parameters"));
}
