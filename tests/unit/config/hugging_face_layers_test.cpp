#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/config/load_model.hpp"
#include "sim/yaml/yaml_change.hpp"
#include "tests/catch.hpp"

// Tests which layers slide or have experts if they are no symmetric halves. The rules are those of
// transformers' modeling files, which count layers from zero.
using namespace tofn;
using namespace tofn::test;

namespace {

struct Change {
  std::string_view key;
  std::string value;
};

Model changed(std::string_view name, const std::vector<Change>& changes) {
  YamlNode node = YamlNode::load(TOFN_SOURCE_DIR "/tests/unit/config/hugging_face/" +
                                 std::string(name) + ".json");
  for (const Change& change : changes) node = with_text(node, change.key, change.value);
  return read_model(node);
}

/// Number of layers of a part by its name; 0 if there is no such part.
int count_of(const Model& model, std::string_view part) {
  for (const ModelPart& each : model.parts)
    if (each.name == part)
      if (const auto* layers = std::get_if<TransformerLayers>(&each.shape)) return layers->count;
  return 0;
}

const TransformerLayers& layers_of(const Model& model) {
  for (const ModelPart& part : model.parts)
    if (const auto* layers = std::get_if<TransformerLayers>(&part.shape)) return *layers;
  throw std::logic_error("no layers");
}

}  // namespace

// modeling_qwen2.py: a layer slides if its number is max_window_layers or more.
TEST_CASE("the first max_window_layers attend to all, the others slide") {
  const auto layers = [](const char* first) {
    return layers_of(changed("qwen2.5-7b", {{"use_sliding_window", "true"},
                                            {"max_window_layers", first},
                                            {"sliding_window", "4096"}}));
  };
  CHECK(layers("21").window == 4096);
  CHECK(layers("21").window_share == 0.25);  // 7 of 28
  CHECK(layers("7").window_share == 0.75);
  CHECK_FALSE(layers("28").window == 4096);
}

// modeling_qwen2_moe.py: a layer has experts if (number + 1) % decoder_sparse_step is 0: 4, 9, 14
// and 19.
TEST_CASE("every decoder_sparse_step-th layer has experts, the first of them at its end") {
  const Model model = changed("qwen1.5-moe-a2.7b", {{"decoder_sparse_step", "5"}});
  CHECK(count_of(model, "dense layers") == 20);
  CHECK(count_of(changed("qwen1.5-moe-a2.7b", {{"decoder_sparse_step", "25"}}), "dense layers") ==
        24);
}

// modeling_deepseek.py: a layer has experts if number % moe_layer_freq is 0 and the number is
// first_k_dense_replace or more: 9 and 18 of 27 layers. Counted from one they would be 8, 17 and
// 26.
TEST_CASE("every moe_layer_freq-th layer of DeepSeek has experts, counted from zero") {
  CHECK(count_of(changed("deepseek-v2-lite", {{"moe_layer_freq", "9"}}), "dense layers") == 25);
}
