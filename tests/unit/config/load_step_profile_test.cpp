#include "sim/config/load_step_profile.hpp"

#include "tests/catch.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

StepProfile sample() {
  StepProfile profile;
  profile.name = "a \"name\"";
  profile.workload = "bert";
  profile.cluster = "dgx-h100";
  profile.settings.software_release = "24.09";
  profile.settings.precision = Precision::Fp8;
  profile.settings.fp8_attention = false;
  profile.settings.cuda_graphs = CudaGraphs::None;
  profile.rows = {{.source = "run.log",
                   .accelerators = 16,
                   .global_batch = 96,
                   .tensor_parallel_size = 2,
                   .context_parallel_size = 4,
                   .gradient_accumulation = 3,
                   .step = Seconds{0.0944194912345678},
                   .spread = 0.0125,
                   .steps = 200}};
  return profile;
}

StepProfile read_back(const std::string& text) {
  return load_step_profile(TemporaryFile("profile.yaml", text).path());
}

}  // namespace

TEST_CASE("a step profile reads back as it was written") {
  const StepProfile profile = read_back(to_yaml(sample(), {}));
  CHECK(profile.name == "a \"name\"");
  CHECK(profile.workload == "bert");
  CHECK(profile.cluster == "dgx-h100");
  CHECK(profile.settings.software_release == "24.09");
  CHECK(profile.settings.precision == Precision::Fp8);
  CHECK(profile.settings.fp8_attention == false);
  CHECK(profile.settings.cuda_graphs == CudaGraphs::None);
  CHECK_FALSE(profile.settings.tensor_overlap);
  REQUIRE(profile.rows.size() == 1);
  const MeasuredStep& row = profile.rows.front();
  CHECK(row.source == "run.log");
  CHECK(row.accelerators == 16);
  CHECK(row.global_batch == 96);
  CHECK(row.tensor_parallel_size == 2);
  CHECK(row.context_parallel_size == 4);
  CHECK(row.gradient_accumulation == 3);
  CHECK_THAT(row.step.base(), WithinRel(0.0944194912345678, 1e-13));
  CHECK(row.spread == 0.0125);
  CHECK(row.steps == 200);
}

TEST_CASE("what nobody stated stays unstated") {
  StepProfile profile = sample();
  profile.settings = {};
  const std::string text = to_yaml(profile, {});
  CHECK(text.find("settings") == std::string::npos);
  CHECK(read_back(text).settings.software_release.empty());
}

TEST_CASE("files that a step profile names count from its own folder") {
  StepProfile profile = sample();
  profile.workload = "/somewhere/models/mine.yaml";
  const std::string text = to_yaml(profile, "/somewhere/profiles");
  CHECK_THAT(text, ContainsText("workload: \"../models/mine.yaml\""));
  const TemporaryFile file("profile.yaml", text);
  CHECK(load_step_profile(file.path()).workload ==
        (file.path().parent_path() / "../models/mine.yaml").lexically_normal().string());
}
