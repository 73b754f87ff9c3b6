#include <string>
#include <vector>

#include "sim/config/load_model.hpp"
#include "sim/memory/fitting.hpp"
#include "tests/catch.hpp"

// Laws of memory over shipped models, whatever the numbers.
using namespace tofn;
using namespace tofn::test;

namespace {

/// Transformers whose dimensions are divisible by every plan below.
const std::vector<Model>& models() {
  static const std::vector<Model> loaded = [] {
    std::vector<Model> read;
    for (const char* name :
         {"llama3-8b", "llama3-70b", "gpt3-175b", "megatron-22b", "mixtral-8x7b"})
      read.push_back(find_model(TOFN_SOURCE_DIR "/configs", name));
    return read;
  }();
  return loaded;
}

Plan base_plan() {
  Plan plan;
  plan.tensor_parallel_size = 2;
  plan.data_parallel_size = 8;
  plan.sequence_parallel = true;
  return plan;
}

Footprint held(const Model& model, const Plan& plan) {
  return largest_footprint(layer_work(model, plan), plan, {});
}
std::vector<Footprint> stages(const Model& model, const Plan& plan) {
  return footprints(layer_work(model, plan), plan, {});
}

}  // namespace

TEST_CASE("each stage of ZeRO holds less than the one before") {
  for (const Model& model : models()) {
    Plan plan = base_plan();
    Bytes before{1e18};
    for (const Sharded sharded :
         {Sharded::Nothing, Sharded::Optimizer, Sharded::Gradients, Sharded::Parameters}) {
      plan.sharded = sharded;
      const Bytes now = held(model, plan).total();
      CHECK(now < before);
      before = now;
    }
    plan.offloads_optimizer = true;
    CHECK(held(model, plan).total() < before);
    CHECK(held(model, plan).host > Bytes{});
  }
}

TEST_CASE("more tensor-parallel ranks hold less each") {
  for (const Model& model : models()) {
    Plan plan = base_plan();
    Bytes before{1e18};
    for (const int ranks : {2, 4, 8}) {
      plan.tensor_parallel_size = ranks;
      const Bytes now = held(model, plan).total();
      CHECK(now < before);
      before = now;
    }
  }
}

TEST_CASE("more recomputation keeps fewer activations") {
  for (const Model& model : models()) {
    Plan plan = base_plan();
    const auto kept = [&](Recompute what) {
      plan.recompute = what;
      return held(model, plan).activations;
    };
    CHECK(kept(Recompute::Full) < kept(Recompute::Selective));
    CHECK(kept(Recompute::Selective) < kept(Recompute::None));
  }
}

TEST_CASE("sequence parallelism keeps fewer activations, smaller micro-batches too") {
  for (const Model& model : models()) {
    Plan plan = base_plan();
    const Bytes with = held(model, plan).activations;
    plan.micro_batch = 2;
    CHECK(held(model, plan).activations.base() == Approx(2 * with.base()));
    plan.micro_batch = 1;
    plan.sequence_parallel = false;
    if (model.name != "mixtral-8x7b") CHECK(with < held(model, plan).activations);
  }
}

TEST_CASE("schedules: interleaving raises the first stage's activations, GPipe's are the most") {
  for (const Model& model : models()) {
    Plan plan = base_plan();
    plan.pipeline_parallel_size = 4;
    plan.gradient_accumulation = 16;
    const Bytes plain = stages(model, plan).front().activations;
    plan.schedule = PipelineSchedule::ZeroBubble;
    CHECK(stages(model, plan).front().activations == plain);
    plan.schedule = PipelineSchedule::GPipe;
    const Bytes gpipe = stages(model, plan).front().activations;
    CHECK(gpipe.base() == Approx(4 * plain.base()));
    plan.schedule = PipelineSchedule::OneForwardOneBackward;
    plan.chunks_per_stage = 2;
    const Bytes interleaved = stages(model, plan).front().activations;
    CHECK(interleaved.base() == Approx((1 + 3.0 / 8) * plain.base()));
    CHECK(interleaved < gpipe);
  }
}

TEST_CASE("zb-v keeps as many activations on each stage as 1F1B on the first one") {
  for (const Model& model : models()) {
    Plan plan = base_plan();
    plan.pipeline_parallel_size = 4;
    plan.gradient_accumulation = 16;
    const auto first = stages(model, plan).front().activations;
    plan.schedule = PipelineSchedule::ZeroBubbleV;
    plan.chunks_per_stage = 2;
    INFO(model.name);
    for (const Footprint& stage : stages(model, plan))
      CHECK(stage.activations.base() == Approx(first.base()));
  }
}

TEST_CASE("the stages of a pipeline hold the model's parameters between them") {
  for (const Model& model : models()) {
    Plan plan = base_plan();
    plan.pipeline_parallel_size = 4;
    plan.gradient_accumulation = 4;
    const auto layers = layer_work(model, plan);
    double parameters = 0;
    for (const LayerWork& layer : layers)
      parameters += layer.count * (layer.parameters + layer.expert_parameters);
    Bytes sum;
    for (const Footprint& stage : footprints(layers, plan, {})) sum += stage.parameters;
    CHECK(sum.base() == Approx(2 * parameters));
  }
}

// Names each member, because a table of parts that lacked one would lack it in every sum.
TEST_CASE("a rank holds each of its parts once, and nothing of what is on the host") {
  for (const Model& model : models())
    for (const bool offloads : {false, true}) {
      Plan plan = base_plan();
      plan.pipeline_parallel_size = 2;
      plan.gradient_accumulation = 4;
      plan.sharded = Sharded::Parameters;
      plan.offloads_optimizer = offloads;
      for (const Footprint& f : stages(model, plan)) {
        CAPTURE(model.name, offloads);
        double held = 0;
        for (const Bytes part :
             {f.parameters, f.gradients, f.optimizer, f.activations, f.logits, f.gathered,
              f.workspace, f.communicators, f.context, f.fragmentation}) {
          CHECK(part >= Bytes{});
          held += part.base();
        }
        CHECK_THAT(f.total().base(), WithinRel(held, 1e-12));
        CHECK((f.host > Bytes{}) == offloads);
        CHECK((f.optimizer > Bytes{}) != offloads);
      }
    }
}
