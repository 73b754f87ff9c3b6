#include "tests/unit/launch/trainings.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

LaunchReading of_layers(const std::string& flags) {
  return reading(
      "torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 4 --hidden-size 1024 "
      "--num-attention-heads 16 --seq-length 2048 --micro-batch-size 1 " +
          flags + "\n",
      "a.sh");
}

}  // namespace

TEST_CASE("a vocabulary that the flags do not say is told") {
  const auto told = [](const std::string& flags) {
    return of_layers(flags).training.own_model->substitutions;
  };
  CHECK(told("") == std::vector<std::string>{"the vocabulary is taken to have 50257 entries, "
                                             "GPT-2's: the file does not say"});
  CHECK(told("--vocab-size 1024").empty());
  CHECK(told("--padded-vocab-size 1024").empty());
}

TEST_CASE("layers that no flag tells are not written as others") {
  const auto plain = of_layers("--vocab-size 1024").training;
  const auto written = [&](void (*change)(TransformerLayers&)) {
    auto training = plain;
    change(std::get<TransformerLayers>(training.own_model->parts.back().shape));
    return write_training(training, launch_stack_named("megatron-lm")).text;
  };
  CHECK_THAT(written([](TransformerLayers&) {}), ContainsText("--num-layers 4"));
  for (const auto change : std::initializer_list<void (*)(TransformerLayers&)>{
           [](TransformerLayers& layers) { layers.norms = 4; },
           [](TransformerLayers& layers) { layers.window = 128; },
           [](TransformerLayers& layers) { layers.causal = false; },
           [](TransformerLayers& layers) { layers.lora_rank = 8; },
           [](TransformerLayers& layers) { layers.frozen = true; },
           [](TransformerLayers& layers) { layers.query_key_value_biases = false; }})
    CHECK_THAT(written(change), !ContainsText("--num-layers"));
}
