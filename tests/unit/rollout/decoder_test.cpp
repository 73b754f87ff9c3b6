#include "sim/rollout/decoder.hpp"

#include "sim/config/load_model.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

Decoder shipped(const char* model) { return decoder_of(find_model(configs, model)); }

/// KiB that the cache keeps of a token in 16 bits.
double cache_kib(const char* model) { return shipped(model).cached_values(1) * 2 / 1024; }

}  // namespace

TEST_CASE("the cache of a token follows from the kind of attention") {
  CHECK(cache_kib("llama3-8b") == 2 * 32 * 8 * 128 * 2 / 1024.0);
  CHECK(cache_kib("qwen3-30b-a3b") == 96);
  CHECK(cache_kib("qwen3-235b-a22b") == 188);
  CHECK(cache_kib("qwen3.5-397b-a17b") == 30);                      // 15 of 60 layers attend
  CHECK(cache_kib("deepseek-v3") == 61 * (512 + 64) * 2 / 1024.0);  // latent; not the 62nd layer
}

TEST_CASE("a window bounds the tokens that its layers keep") {
  const Decoder decoder = shipped("gpt-oss-20b");  // half of 24 layers see 128 tokens
  const double of_layer = 2 * 8 * 64;
  CHECK(decoder.cached_values(100) == 24 * of_layer * 100);
  CHECK(decoder.cached_values(1000) == 12 * of_layer * (1000 + 128));
}

TEST_CASE("state spaces keep a state whatever the length") {
  CHECK(shipped("qwen3.5-397b-a17b").state == 45.0 * 64 * 128 * 128);
  CHECK(shipped("llama3-8b").state == 0);
}

TEST_CASE("parameters are those that are read for each token, the embedding, and experts") {
  const Decoder llama = shipped("llama3-8b");
  CHECK(llama.all_parameters() == Approx(8.03e9).epsilon(0.001));
  CHECK(llama.embedding == 128256.0 * 4096);
  CHECK(llama.branches == 64);
  const Decoder deepseek = shipped("deepseek-v3");
  CHECK(deepseek.all_parameters() == Approx(671e9).epsilon(0.002));
  CHECK(deepseek.expert_parameters() == 58.0 * 256 * 3 * 7168 * 2048);
  CHECK(deepseek.active_expert_parameters() == 58.0 * 8 * 3 * 7168 * 2048);
  const Decoder nano = shipped("nemotron3-nano-30b-a3b");
  CHECK(nano.branches == 52);
}

TEST_CASE("tokens touch experts evenly and independently") {
  const CachedExperts experts{
      .layers = 1, .parameters = 1, .routing = {.experts = 4, .experts_per_token = 1}};
  CHECK(experts.touched(1) == Approx(0.25));
  CHECK(experts.touched(2) == Approx(1 - 0.75 * 0.75));
}

TEST_CASE("a model of images generates no text") {
  CHECK_THROWS_AS(shipped("resnet-50"), InputError);
}
