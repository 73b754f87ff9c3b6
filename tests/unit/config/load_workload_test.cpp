#include "sim/config/load.hpp"

#include <algorithm>

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

Workload shipped(const std::string& name) {
  return load_workload(std::filesystem::path(TOFN_SOURCE_DIR) / "configs/workloads" /
                       (name + ".yaml"));
}

}  // namespace

TEST_CASE("a workload file is read with its layers") {
  const Workload bert = shipped("bert");
  CHECK(bert.name == "bert");
  CHECK(bert.aliases == std::vector<std::string>{"bert-large"});
  CHECK(bert.precision == Precision::Fp16);
  CHECK(bert.parameters == 336226108);
  REQUIRE(bert.layers.size() == 5);
  CHECK(bert.layers[2].name == "encoder attention");
  CHECK(bert.layers[2].count == 24);
  CHECK(bert.layers[2].arithmetic == Arithmetic::Attention);
  CHECK_THAT(bert.layers[2].forward.value.base(), WithinRel(357.9139e6, 1e-6));
  CHECK_THAT(bert.layers[2].forward.source, ContainsText("sequence lengths assumed"));
  CHECK(bert.layers[1].backward_operators == 8);
  REQUIRE(bert.layers[1].gemms.size() == 4);
  CHECK(bert.layers[1].gemms[3].inputs == 4096);
}

TEST_CASE("a workload's gradient synchronisation is read in order") {
  const Gradients gradients = shipped("bert").gradients;
  CHECK(gradients.bytes_per_parameter.value == 2);
  CHECK(gradients.parameters_bytes_per_parameter.value == 2);  // the gradients', unless stated
  CHECK(gradients.bucket.value.base() == 672452216);
  CHECK(gradients.overlapped_bucket.value().value.base() == 134490443);
  REQUIRE(gradients.synchronisation.size() == 3);
  CHECK(gradients.synchronisation[0].collective == CollectiveKind::ReduceScatter);
  CHECK(gradients.synchronisation[0].group == SyncGroup::Domain);
  CHECK(gradients.synchronisation[0].when == SyncWhen::OneDomain);
  CHECK(gradients.synchronisation[1].when == SyncWhen::ManyDomains);
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
