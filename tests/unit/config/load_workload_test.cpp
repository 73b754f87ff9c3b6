#include "sim/config/load.hpp"

#include <algorithm>

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

Workload shipped(const std::string& name) {
  const std::filesystem::path configs = TOFN_SOURCE_DIR "/configs";
  return load_workload(configs / "workloads" / (name + ".yaml"), configs);
}

}  // namespace

TEST_CASE("a workload file is read with the layers of its model") {
  const Workload bert = shipped("bert");
  CHECK(bert.name == "bert");
  CHECK(bert.aliases.empty());  // bert-large is the model's name
  CHECK(bert.precision == Precision::Fp16);
  CHECK(bert.parameters == 336226108);
  CHECK(bert.trainable_parameters == 336226108);
  const auto encoder = std::find_if(bert.layers.begin(), bert.layers.end(),
                                    [](const Layer& layer) { return layer.count == 24; });
  REQUIRE(encoder != bert.layers.end());
  // A sample has half of the model's 512 tokens: 256 x 2 x 12 x 1024^2, and twice that backward.
  CHECK_THAT(encoder->forward.value.base(), WithinRel(6442.450944e6, 1e-9));
  CHECK_THAT(encoder->backward.value.base(), WithinRel(2 * 6442.450944e6, 1e-9));
  // 4 x 1024 x 512^2 / 3, because samples in a sequence attend only to themselves.
  CHECK_THAT(encoder->attention_forward.base(), WithinRel(357.9139e6, 1e-6));
}

TEST_CASE("a workload's gradient synchronisation is read in order") {
  const Gradients gradients = shipped("bert").gradients;
  CHECK(gradients.bytes_per_parameter.value == 2);
  CHECK(gradients.parameters_bytes_per_parameter.value == 2);  // those of the gradients by default
  CHECK(gradients.bucket.value.base() == 672452216);
  CHECK(gradients.overlapped_bucket.value().value.base() == 134490443);
  REQUIRE(gradients.synchronisation.size() == 3);
  CHECK(gradients.synchronisation[0].collective == CollectiveKind::ReduceScatter);
  CHECK(gradients.synchronisation[0].group == SyncGroup::Node);
  CHECK(gradients.synchronisation[0].when == SyncWhen::OneNode);
  CHECK(gradients.synchronisation[1].when == SyncWhen::ManyNodes);
  CHECK(gradients.synchronisation[2].payload == SyncPayload::Parameters);
  CHECK(gradients.synchronisation[2].overlaps == Overlap::Nothing);
}

TEST_CASE("a workload evaluates at an interval or by a rule") {
  const Evaluation bert = shipped("bert").evaluation;
  CHECK(bert.mode == EvaluationMode::Inline);
  CHECK(bert.mlperf_bert_interval);
  CHECK_FALSE(bert.interval.has_value());
  // floor(0.05 * (230.23 * 448 + 3,000,000) / 25,000) = floor(6.206) intervals of 25,000
  CHECK(bert.interval_at(448) == 150000);
  const Evaluation retinanet = shipped("retinanet").evaluation;
  CHECK_FALSE(retinanet.mlperf_bert_interval);
  CHECK(retinanet.interval_at(448) == retinanet.interval.value().value);
}

TEST_CASE("only workloads that describe tensor parallelism have it") {
  CHECK_FALSE(shipped("bert").tensor_parallel.has_value());
  const Workload lora = shipped("llama2_70b_lora");
  REQUIRE(lora.tensor_parallel.has_value());
  CHECK(lora.tensor_parallel->layers.value == 80);
  REQUIRE(lora.context_parallel.has_value());
}

TEST_CASE("reference points of shipped workloads ascend") {
  for (const char* name : {"bert", "llama2_70b_lora", "retinanet", "stable_diffusion"}) {
    INFO(name);
    const auto points = shipped(name).convergence;
    CHECK(points.size() >= 2);
    CHECK(std::is_sorted(points.begin(), points.end(),
                         [](const auto& a, const auto& b) { return a.batch <= b.batch; }));
  }
}
