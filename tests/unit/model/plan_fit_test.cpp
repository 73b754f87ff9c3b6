#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/unit/model/models.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

std::string refused(std::string_view model, const Plan& plan) {
  return refusal([&] { layer_work(shipped_model(model), plan); });
}

}  // namespace

TEST_CASE("tensor parallelism divides heads, widths and adapters") {
  CHECK(refused("gpt3-175b", {.tensor_parallel_size = 5}) ==
        "model gpt3-175b: tp must divide the heads: 5 does not divide 96");
  CHECK(refused("llama3-8b", {.tensor_parallel_size = 16}) ==
        "model llama3-8b: tp must divide the key and value heads: 16 does not divide 8");
  CHECK(refused("llama3-8b", {.tensor_parallel_size = 8}) == "accepted");
  Model model = shipped_model("llama2-70b-lora");
  std::get<TransformerLayers>(model.parts[1].shape).lora_rank = 6;
  CHECK(refusal([&] { layer_work(model, {.tensor_parallel_size = 4}); }) ==
        "model llama2-70b-lora: tp must divide the LoRA rank: 4 does not divide 6");
}

TEST_CASE("context parallelism divides sequences and needs fused attention") {
  CHECK(refused("llama3-8b", {.context_parallel_size = 3}) ==
        "model llama3-8b: cp must divide the sequence length: 3 does not divide 8192");
  CHECK(refused("gpt3-175b", {.context_parallel_size = 2}) ==
        "model gpt3-175b: cp > 1 needs fused attention, which takes keys block by block");
  CHECK(refused("llama3-8b", {.tensor_parallel_size = 8,
                              .context_parallel_size = 8192,
                              .sequence_parallel = true}) ==
        "model llama3-8b: sequence parallelism: tp must divide the tokens of a context-parallel "
        "rank: 8 does not divide 1");
}

TEST_CASE("expert parallelism divides experts") {
  CHECK(refused("llama3-8b", {.data_parallel_size = 2, .expert_parallel_size = 2}) ==
        "model llama3-8b: ep > 1 needs a mixture of experts");
  CHECK(refused("mixtral-8x7b", {.data_parallel_size = 3, .expert_parallel_size = 3}) ==
        "model mixtral-8x7b: ep must divide the experts: 3 does not divide 8");
  CHECK(refused("mixtral-8x7b",
                {.tensor_parallel_size = 2, .data_parallel_size = 8, .expert_parallel_size = 8}) ==
        "model mixtral-8x7b: ep > 1 beside tp > 1 needs sequence parallelism, lest every rank "
        "send every token");
}

TEST_CASE("two experts are a mixture") {
  Model model = shipped_model("mixtral-8x7b");
  auto& layers = std::get<TransformerLayers>(model.parts[1].shape);
  layers.experts = 2;
  layers.experts_per_token = 1;
  CHECK(refusal([&] { layer_work(model, {.data_parallel_size = 2, .expert_parallel_size = 2}); }) ==
        "accepted");
}

TEST_CASE("stages need not divide the layers") {
  CHECK(refused("llama3-8b", {.pipeline_parallel_size = 4, .chunks_per_stage = 3}) == "accepted");
  CHECK(refused("llama3-405b", {.pipeline_parallel_size = 16}) == "accepted");
}

TEST_CASE("image models are data parallel") {
  CHECK(refused("resnet-50", {.tensor_parallel_size = 2}) ==
        "model resnet-50: tp must be 1: convolutions and image transformers are whole on each "
        "rank");
  CHECK(refused("stable-diffusion-v2", {.pipeline_parallel_size = 2}) ==
        "model stable-diffusion-v2: pp must be 1: skip connections of image models would cross "
        "stages");
  CHECK(refused("resnet-50", {.recompute = Recompute::Selective}) ==
        "model resnet-50: selective recomputation is of attention, which the model lacks");
  CHECK(refused("stable-diffusion-v2", {.recompute = Recompute::Selective}) == "accepted");
}
