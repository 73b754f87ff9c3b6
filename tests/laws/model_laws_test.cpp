#include <algorithm>
#include <array>

#include "sim/config/load_model.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/yaml/named_file.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

// Laws of every shipped model that plans may split.
using namespace tofn;
using namespace tofn::test;

namespace {

std::vector<Model> all_models() {
  std::vector<Model> models;
  for (const auto& file : files_in(configs, "models")) models.push_back(load_model(file));
  return models;
}

const TransformerLayers* transformer_of(const Model& model) {
  for (const ModelPart& part : model.parts)
    if (const auto* layers = std::get_if<TransformerLayers>(&part.shape)) return layers;
  return nullptr;
}

/// True if tensor-parallel ranks have equal shares of each part. Otherwise they pad the vocabulary
/// or repeat heads of keys and values. Linear layers beside the transformers and the index of
/// sparse attention run whole on each rank.
bool splits_evenly(const Model& model, int ranks) {
  return std::all_of(model.parts.begin(), model.parts.end(), [&](const ModelPart& part) {
    const auto* layers = std::get_if<TransformerLayers>(&part.shape);
    const PartTraits traits = part.traits();
    return traits.is_text() && traits.vocabulary % ranks == 0 && traits.heads % ranks == 0 &&
           (layers == nullptr || (layers->key_value_heads % ranks == 0 &&
                                  !(layers->latent && layers->latent->index_heads > 0)));
  });
}

std::vector<Model> transformers() {
  std::vector<Model> models;
  for (Model& model : all_models())
    if (transformer_of(model) != nullptr && splits_evenly(model, 8))
      models.push_back(std::move(model));
  return models;
}

/// FLOPs of one rank in all passes of a micro-batch.
double flops(const std::vector<LayerWork>& layers) {
  double sum = 0;
  for (const LayerWork& layer : layers)
    for (const PassWork* pass : {&layer.forward, &layer.backward, &layer.recompute})
      for (const Kernel& kernel : pass->kernels) sum += layer.count * kernel.flops().base();
  return sum;
}

double activations(const std::vector<LayerWork>& layers) {
  double sum = 0;
  for (const LayerWork& layer : layers) sum += layer.count * layer.activations.base();
  return sum;
}

double parameters(const std::vector<LayerWork>& layers) {
  double sum = 0;
  for (const LayerWork& layer : layers)
    sum += layer.count * (layer.parameters + layer.expert_parameters);
  return sum;
}

constexpr std::array modes{Recompute::None, Recompute::Selective, Recompute::Full};

}  // namespace

TEST_CASE("tensor-parallel ranks share arithmetic exactly") {
  for (const Model& model : transformers())
    for (const Recompute recompute : modes) {
      INFO(model.name);
      const double one = flops(layer_work(model, {.recompute = recompute}));
      for (const int ranks : {2, 4, 8})
        for (const bool sequence_parallel : {false, true}) {
          // Without sequence parallelism every rank runs the router on all tokens, and makes all
          // narrow rows.
          if (has_experts(model) && !sequence_parallel) continue;
          const Plan plan{.tensor_parallel_size = ranks,
                          .sequence_parallel = sequence_parallel,
                          .recompute = recompute};
          CHECK_THAT(ranks * flops(layer_work(model, plan)), WithinRel(one, 1e-12));
        }
    }
}

TEST_CASE("context-parallel ranks share arithmetic exactly") {
  for (const Model& model : transformers()) {
    if (!transformer_of(model)->fused_attention) continue;
    INFO(model.name);
    const double one = flops(layer_work(model, Plan{}));
    for (const ContextExchange exchange : {ContextExchange::Ring, ContextExchange::AllGather}) {
      const Plan plan{.context_parallel_size = 4, .context_exchange = exchange};
      CHECK_THAT(4 * flops(layer_work(model, plan)), WithinRel(one, 1e-12));
    }
  }
}

TEST_CASE("work and activations are proportional to the micro-batch") {
  for (const Model& model : all_models()) {
    INFO(model.name);
    const auto one = layer_work(model, Plan{});
    const auto three = layer_work(model, {.micro_batch = 3});
    CHECK_THAT(flops(three), WithinRel(3 * flops(one), 1e-12));
    CHECK_THAT(activations(three), WithinRel(3 * activations(one), 1e-12));
  }
}

TEST_CASE("sequence parallelism lowers activations") {
  for (const Model& model : transformers())
    for (const Recompute recompute : modes) {
      INFO(model.name);
      Plan plan{.tensor_parallel_size = 8, .recompute = recompute};
      const double without = activations(layer_work(model, plan));
      plan.sequence_parallel = true;
      CHECK(activations(layer_work(model, plan)) < without);
    }
}

TEST_CASE("tensor parallelism lowers activations and parameters") {
  for (const Model& model : transformers()) {
    INFO(model.name);
    const auto one = layer_work(model, Plan{});
    const auto two = layer_work(model, {.tensor_parallel_size = 2});
    CHECK(activations(two) < activations(one));
    CHECK(parameters(two) < 0.51 * parameters(one));
    for (std::size_t i = 0; i < one.size(); ++i) {
      CHECK(two[i].parameters <= one[i].parameters);  // norms are whole on each rank
      // Biases of experts' outputs are whole on each rank.
      CHECK_THAT(two[i].expert_parameters, WithinRel(one[i].expert_parameters / 2, 2e-4));
    }
  }
}

TEST_CASE("more recomputation keeps less and computes more") {
  for (const Model& model : transformers()) {
    INFO(model.name);
    std::vector<std::vector<LayerWork>> works;
    for (const Recompute recompute : modes)
      works.push_back(layer_work(model, {.recompute = recompute}));
    CHECK(activations(works[1]) < activations(works[0]));
    CHECK(activations(works[2]) < activations(works[1]));
    CHECK(flops(works[1]) > flops(works[0]));
    CHECK(flops(works[2]) > flops(works[1]));
  }
}

TEST_CASE("full recomputation of image models keeps no more and computes more") {
  for (const Model& model : all_models()) {
    if (transformer_of(model) != nullptr) continue;
    INFO(model.name);
    const auto none = layer_work(model, Plan{});
    const auto full = layer_work(model, {.recompute = Recompute::Full});
    CHECK(activations(full) <= activations(none));
    CHECK(flops(full) > flops(none));
  }
}

TEST_CASE("expert parallelism divides the experts' parameters and nothing else") {
  for (const Model& model : all_models()) {
    if (!has_experts(model)) continue;
    INFO(model.name);
    const auto one = layer_work(model, Plan{});
    for (const int ranks : {2, 4, 8}) {
      const auto split =
          layer_work(model, {.data_parallel_size = ranks, .expert_parallel_size = ranks});
      for (std::size_t i = 0; i < one.size(); ++i) {
        CHECK(split[i].expert_parameters == one[i].expert_parameters / ranks);
        CHECK(split[i].parameters == one[i].parameters);
      }
      CHECK_THAT(flops(split), WithinRel(flops(one), 1e-12));
    }
  }
}
