#include "sim/config/load_plan.hpp"

#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

PlanFile plan_from(const std::string& text) {
  return load_plan(TemporaryFile("plan.yaml", text).path());
}

/// The refusal without the file's name.
std::string refusal_of(const std::string& text) {
  const TemporaryFile file("plan.yaml", text);
  const std::string whole = refusal([&] { load_plan(file.path()); });
  const std::string name = file.path().string();
  return whole.starts_with(name) ? whole.substr(name.size()) : whole;
}

}  // namespace

TEST_CASE("a plan states sizes, and what else is left open stays absent") {
  const PlanFile plan = plan_from("name: a\ntensor_parallel: 4\ncontext_parallel: 2\n");
  CHECK(plan.name == "a");
  CHECK(plan.tensor_parallel_size == 4);
  CHECK(plan.context_parallel_size == 2);
  CHECK(!plan.gradient_accumulation);
  CHECK(!plan.settings.precision);
  CHECK(!plan.settings.cuda_graphs);
  CHECK(!plan.settings.in_network_reduction);
}

TEST_CASE("a plan's settings are read") {
  const PlanFile plan = plan_from(
      "name: a\ntensor_parallel: 1\ncontext_parallel: 1\ngradient_accumulation: 4\n"
      "settings:\n  precision: fp8\n  fp8_attention: true\n  tensor_overlap: false\n"
      "  cuda_graphs: layer\n  in_network_reduction: true\n  overlap_gradient_reduction: false\n");
  CHECK(plan.gradient_accumulation == 4);
  CHECK(plan.settings.precision == Precision::Fp8);
  CHECK(plan.settings.fp8_attention == true);
  CHECK(plan.settings.tensor_overlap == false);
  CHECK(plan.settings.cuda_graphs == CudaGraphs::Layer);
  CHECK(plan.settings.in_network_reduction == true);
  CHECK(plan.settings.overlap_gradient_reduction == false);
}

TEST_CASE("mistakes in a plan name their place") {
  CHECK(refusal_of("name: a\ntensor_parallel: 0\ncontext_parallel: 1\n") ==
        ":2:18: tensor_parallel: must be at least 1");
  CHECK(
      refusal_of("name: a\ntensor_parallel: 1\ncontext_parallel: 1\ngradient_accumulation: 0\n") ==
      ":4:24: gradient_accumulation: must be above 0");
  CHECK(refusal_of("name: a\ntensor_parallel: 1\n") == ":1:1: missing key 'context_parallel'");
  CHECK(refusal_of("name: a\ntensor_parallel: 1\ncontext_parallel: 1\nsettings:\n  sharp: on\n") ==
        ":5:3: settings: unknown key 'sharp'; valid keys: precision, fp8_attention, "
        "tensor_overlap, cuda_graphs, in_network_reduction, overlap_gradient_reduction");
}

TEST_CASE("plans are found by name or by path") {
  const std::filesystem::path configs = TOFN_SOURCE_DIR "/configs";
  CHECK(plan_files(configs).size() >= 3);
  CHECK(find_plan(configs, "lora-tp4-cp2").context_parallel_size == 2);
  CHECK(find_plan(configs, (configs / "plans/lora-tp4.yaml").string()).gradient_accumulation == 4);
  CHECK_THROWS_WITH(find_plan(configs, "lora-tp"), ContainsText("unknown plan 'lora-tp', did you"));
}
