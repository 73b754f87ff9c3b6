#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/laws/machines.hpp"

// The GEMMs of all workloads against what else their layers state: work, operators, parameters.
using namespace tofn;
using namespace tofn::test;

namespace {

double forward_work(const Layer& layer) {
  double sum = 0;
  for (const Gemm& gemm : layer.gemms) sum += flops(gemm).base();
  return sum;
}

/// Elements of the weights, were each used once.
double weights(const Layer& layer) {
  double sum = 0;
  for (const Gemm& gemm : layer.gemms) sum += 1.0 * gemm.inputs * gemm.outputs * gemm.count;
  return sum;
}

/// RetinaNet's heads apply their weights to each of the five levels.
bool is_on_five_levels(const Layer& layer) {
  constexpr std::array heads{"classification tower", "class scores", "box tower", "box offsets"};
  return std::find(heads.begin(), heads.end(), layer.name) != heads.end();
}

/// Elements of the weights that the layer counts as its parameters.
double own_weights(const Layer& layer) {
  if (is_on_five_levels(layer)) return weights(layer) / 5;
  // BERT's decoder is its table of 30,522 words, which counts as a parameter of the embeddings.
  if (layer.name == "masked-LM head") return weights(layer) - 30'522.0 * 1024.0;
  return weights(layer);
}

/// Calls f(layer) for all that have GEMMs and this arithmetic.
template <class F>
void for_layers(Arithmetic arithmetic, F f) {
  for (const Workload& workload : library().workloads())
    for (const Layer& layer : workload.layers)
      if (layer.arithmetic == arithmetic && !layer.gemms.empty()) {
        INFO(workload.name << ": " << layer.name);
        f(layer);
      }
}

}  // namespace

TEST_CASE("GEMMs are all of a forward pass but its attention") {
  for (const Workload& workload : library().workloads()) {
    INFO(workload.name);
    double sum = 0;
    for (const Layer& layer : workload.layers)
      if (layer.arithmetic == Arithmetic::Matmul) sum += forward_work(layer) * layer.count;
    CHECK_THAT(sum, WithinRel(total_work(workload).matmul_forward.base(), 1e-6));
  }
}

TEST_CASE("only attention that is no set of plain products states no GEMMs") {
  std::vector<std::string> without;
  for (const Workload& workload : library().workloads())
    for (const Layer& layer : workload.layers)
      if (layer.forward.value > Flops{} && layer.gemms.empty())
        without.push_back(workload.name + ": " + layer.name);
  CHECK(without ==
        std::vector<std::string>{"bert: encoder attention", "llama2_70b_lora: causal attention"});
}

TEST_CASE("GEMMs do their layer's work") {
  for (const Arithmetic arithmetic : {Arithmetic::Matmul, Arithmetic::Attention})
    for_layers(arithmetic, [](const Layer& layer) {
      CHECK_THAT(forward_work(layer), WithinRel(layer.forward.value.base(), 1e-6));
    });
}

TEST_CASE("a matrix operator is one GEMM, one of attention two") {
  for_layers(Arithmetic::Matmul, [](const Layer& layer) {
    CHECK(static_cast<double>(layer.gemms.size()) == layer.forward_operators);
  });
  for_layers(Arithmetic::Attention, [](const Layer& layer) {
    CHECK(static_cast<double>(layer.gemms.size()) == 2 * layer.forward_operators);
  });
}

// The work alone fixes the product of the three sizes; the parameters fix that of two.
TEST_CASE("weights of GEMMs are the layer's parameters but for biases and norms") {
  for_layers(Arithmetic::Matmul, [](const Layer& layer) {
    CHECK(own_weights(layer) <= layer.parameters);
    CHECK(own_weights(layer) > 0.94 * layer.parameters);
  });
}
