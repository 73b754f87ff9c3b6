#include "sim/simulation/step_substitutions.hpp"
#include "tests/catch.hpp"
#include "tests/unit/cluster/toy_machine.hpp"
#include "tests/unit/kernel/toy_profile.hpp"
#include "tests/unit/simulation/toy_model.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("a vocabulary or heads whose rows split 16 bytes are named, with what that costs") {
  KernelProfile profile = toy_profile();
  profile.unaligned_factor.value = 2.5;
  profile.unaligned_heads_factor.value = 7;
  Model model = toy_model();
  const auto found = [&](const Plan& plan = {}) {
    return unaligned_layers(model, plan, toy_machine().accelerator, profile);
  };
  CHECK(found().empty());
  std::get<Vocabulary>(model.parts[0].shape).size = 50257;
  CHECK(found() == std::vector<std::string>{
                       "vocabulary: rows of 50257 elements are no multiple of 16 bytes: products "
                       "with them take 2.5 times as long"});
  std::get<Vocabulary>(model.parts[0].shape).size = 50304;
  CHECK(found().empty());
  auto& layers = std::get<TransformerLayers>(model.parts[1].shape);
  layers.heads = layers.key_value_heads = 16;
  layers.head_size = 108;
  CHECK(found() ==
        std::vector<std::string>{"layer: heads of 108 elements are no multiple of 16 bytes: "
                                 "products with them take 7 times as long"});
  layers.fused_attention = true;  // the fused kernel pads
  CHECK(found().empty());
}
