#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "sim/config/load_model.hpp"
#include "tests/fuzz/invariants.hpp"

/// A config.json, or a model's file: what is read has parameters.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tofn;
  const std::string text(data, data + size);
  fuzz::only_input_errors([&] {
    const Model model = read_model(YamlNode::parse(text, fuzz::file));
    fuzz::require(parameters(model) > 0 && std::isfinite(parameters(model)), "it has parameters");
    fuzz::require(active_parameters(model) <= parameters(model), "no more are active");
  });
  return 0;
}
