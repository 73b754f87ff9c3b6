#include "sim/rollout/engine_layout.hpp"

#include "sim/config/load_model.hpp"
#include "sim/core/error.hpp"
#include "sim/rollout/rl_job.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

using enum EngineAttention;

Decoder decoder_named(const char* model) { return decoder_of(find_model(configs, model)); }

}  // namespace

TEST_CASE("tensor-parallel engines have as many ranks as divide the heads of all layers") {
  CHECK(engine_sizes(decoder_named("llama3-8b"), TensorParallel) ==
        std::vector<int>{1, 2, 4, 8, 16, 32});
  CHECK(engine_sizes(decoder_named("qwen3.5-397b-a17b"), TensorParallel).back() ==
        32);  // of 64 states
  CHECK_NOTHROW(require_engine_size(decoder_named("llama3-8b"), 32));
  CHECK(refusal([] { require_engine_size(decoder_named("llama3-8b"), 3); }) ==
        "3 does not divide 32 heads of the model; valid sizes: 1, 2, 4, 8, 16, 32");
}

TEST_CASE("engines with data-parallel attention share out the experts of a mixture") {
  CHECK(engine_sizes(decoder_named("gpt-oss-20b"), DataParallel) ==
        std::vector<int>{2, 4, 8, 16, 32});
  CHECK(engine_sizes(decoder_named("llama3-8b"), DataParallel).empty());
  CHECK(refusal([] { require_engine_attention(decoder_named("llama3-8b"), DataParallel); }) ==
        "dp shares out experts, which this model does not have; valid: tp");
  const Decoder deepseek = decoder_named("deepseek-v3");  // 128 heads, 256 experts
  CHECK_NOTHROW(require_engine_size(deepseek, 256));
  CHECK(refusal([&] { require_engine_size(deepseek, 256, TensorParallel); }) ==
        "256 does not divide 128 heads of the model; valid sizes: 1, 2, 4, 8, 16, 32, 64, 128");
  // By its heads one rank is an engine, but nothing can be shared out to it alone.
  CHECK_NOTHROW(require_engine_size(deepseek, 1));
  CHECK(refusal([&] { require_engine_size(deepseek, 1, DataParallel); }) ==
        "1 is too few for dp, which shares out attention and experts; valid sizes: 2, 4, 8, 16, "
        "32, 64, 128, 256");
  CHECK(refusal([&] { require_engine_size(deepseek, 3); }) ==
        "3 does not divide 128 heads or 256 experts of the model; valid sizes: 1, 2, 4, 8, 16, 32, "
        "64, 128, 256");
}

TEST_CASE("the words on an engine's precision name each that is taken") {
  for (const auto& [name, precision] : precision_names)
    CHECK_THAT(std::string(rl_words::engine_precision), ContainsText(std::string(name)));
}
