#include "sim/formats/launchers/load_launcher.hpp"

#include "tests/temporary_file.hpp"
#include "tests/unit/formats/launchers/trainings.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// A launcher's first lines; what a test adds stands from line 8 on.
const std::string head =
    "name: own\n"
    "description: a launcher of a test\n"
    "stack: megatron-core\n"
    "version: none\n"
    "marks: [{starts: [own-size]}]\n"
    "sources: {here: the test}\n"
    "keys:\n";

std::string mistake(const std::string& rows) {
  const TemporaryFile file("own.yaml", head + rows);
  std::string figures = refusal([&] { load_launcher(file.path(), configs); });
  const std::string path = file.path().string() + ":";
  return figures.starts_with(path) ? figures.substr(path.size()) : figures;
}

}  // namespace

TEST_CASE("mistakes in a launcher's keys are told at their places") {
  CHECK_THAT(
      mistake("  own-size: {kind: wholes, source: here}\n"),
      ContainsText("8:20: keys.own-size.kind: unknown value 'wholes', did you mean 'whole'?"));
  CHECK(mistake("  own-size: {kind: whole, default: 1.5, source: here}\n") ==
        "8:36: keys.own-size.default: expected a whole number, got '1.5'");
  CHECK(mistake("  own-size: {kind: truth, default: maybe, source: here}\n") ==
        "8:36: keys.own-size.default: expected true or false, got 'maybe'");
  CHECK_THAT(mistake("  own-size: {kind: whole, source: there}\n"),
             ContainsText("8:35: keys.own-size.source: unknown source 'there'"));
  CHECK_THAT(mistake("  own-size: {kind: whole, source: here, sets: tensor_paralel}\n"),
             ContainsText("8:47: keys.own-size.sets: unknown plan row 'tensor_paralel', did "
                          "you mean 'tensor_parallel'?"));
  CHECK(mistake("  own-size: {kind: truth, source: here, sets: tensor_parallel}\n") ==
        "8:47: keys.own-size.sets: a key of kind whole sets it, not one of kind truth");
  CHECK_THAT(mistake("  own-size: {kind: whole, source: here, set: tensor_parallel}\n"),
             ContainsText("8:41: keys.own-size: unknown key 'set', did you mean 'sets'?"));
}

TEST_CASE("mistakes in a launcher's words are told at their places") {
  const std::string key = "  optim: {kind: text, source: here, sets: optimizer}\n";
  CHECK_THAT(mistake(key), ContainsText("'choices' must say which words of 'optim' set what"));
  CHECK_THAT(mistake(key + "choices:\n  optim: {adam: adamv}\n"),
             ContainsText("10:17: choices.optim.adam: unknown value 'adamv', did you mean 'adam"));
  CHECK_THAT(mistake(key + "choices:\n  optims: {adam: adamw}\n"),
             ContainsText("choices.optims: unknown key 'optims', did you mean 'optim'?"));
  CHECK_THAT(mistake("  strategy: {kind: text, source: here}\nchoices:\n  strategy: {all: {shard: "
                     "parameters}}\n"),
             ContainsText("10:27: choices.strategy.all.shard: unknown plan row 'shard'"));
}

TEST_CASE("names in a launcher that nothing has are told at their places") {
  const std::string key = "  own-size: {kind: whole, source: here}\n";
  CHECK_THAT(mistake(key + "presets: {own-sise: 3}\n"),
             ContainsText("9:21: presets.own-sise: unknown key 'own-sise', did you mean "
                          "'own-size'?"));
  CHECK_THAT(mistake(key + "model_keys: [own-size]\nmodels: {small: llama3-9b}\n"),
             ContainsText("10:17: models.small: unknown model 'llama3-9b'"));
  CHECK_THAT(mistake(key + "based_on: {launcher: megatron}\n"),
             ContainsText("9:22: based_on.launcher: unknown launcher 'megatron'"));
  CHECK_THAT(mistake(key + "based_on: {launcher: megatron-lm, keys: [num-layer]}\n"),
             ContainsText("unknown key 'num-layer', did you mean 'num-layers'?"));
}

TEST_CASE("a launcher that is based on another one needs no code of its own") {
  const TemporaryFile file(
      "own.yaml", head +
                      "  own-overlap: {kind: truth, source: here, sets: parameter_overlap}\n"
                      "based_on: {launcher: megatron-lm}\n"
                      "renames: [{key: own-size, is: tensor-model-parallel-size}]\n");
  const Launcher own = load_launcher(file.path(), configs);
  const LaunchFile script = read_launch_text(
      "torchrun --nproc_per_node 8 pretrain_gpt.py --own-size 2 --own-overlap --micro-batch-size 1 "
      "--global-batch-size 8 --use-distributed-optimizer --bf16\n",
      "a.sh");
  const Plan plan = read_training(script, own, {}).training.plan;
  CHECK(plan.tensor_parallel_size == 2);
  CHECK(plan.data_parallel_size == 4);
  CHECK(plan.parameter_overlap);
}

TEST_CASE("files of launchers are known by their marks, and the first counts") {
  const auto name = [](const std::string& text, const std::string& path) {
    const Launcher* launcher = launcher_of(configs, read_launch_text(text, path));
    return launcher == nullptr ? std::string() : launcher->name;
  };
  CHECK(name("sharding_strategy: fsdp\nbatch_size: 2\n", "a.yaml") == "fms-fsdp");
  CHECK(name("sharding_strategy: fsdp\n", "a.yaml").empty());
  CHECK(name("distributed_type: FSDP\n", "a.yaml") == "accelerate");
  CHECK(name("distributed_type: FSDP\nzero_optimization: {stage: 2}\n", "a.yaml") == "deepspeed");
  CHECK(name("modules: {pre_trainer: {framework: torchtitan}}\n", "a.yaml") == "primus-torchtitan");
}
