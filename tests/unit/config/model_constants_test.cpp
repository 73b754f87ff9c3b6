#include "sim/config/hugging_face/hugging_face.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::string dimensions =
    R"("architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3", "hidden_size": 64,
       "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 128, )";

ModelConstants constants_of(const std::string& keys) {
  const TemporaryFile file("constants.json", "{" + dimensions + keys + "}");
  return find_model_constants(configs, file.path().string());
}

}  // namespace

TEST_CASE(
    "the base of rotary positions and the epsilon of norms are as a config.json writes them") {
  const ModelConstants flat = constants_of(R"("rope_theta": 1000000, "rms_norm_eps": 1e-06)");
  CHECK(flat.rotary_base == "1000000");
  CHECK(flat.norm_epsilon == "1e-06");
  const ModelConstants nested =
      constants_of(R"("rope_parameters": {"rope_theta": 500000.0}, "layer_norm_eps": 1e-5)");
  CHECK(nested.rotary_base == "500000.0");
  CHECK(nested.norm_epsilon == "1e-5");
}

TEST_CASE("a file of dimensions alone states neither") {
  const ModelConstants none = find_model_constants(configs, "llama3-8b");
  CHECK(!none.rotary_base);
  CHECK(!none.norm_epsilon);
}
