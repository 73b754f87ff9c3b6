#include <algorithm>
#include <string>

#include "sim/config/library.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/report/plan_report.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("of what a runner-up loses by the three parts that grow most are told") {
  const Library library = Library::load(configs);
  RunFile run{.name = "llama3-8b", .phases = {{.model = find_model(configs, "llama3-8b")}}};
  run.phases[0].stretches = {{1024, 2e12 / run.phases[0].model.sequence_length}};
  const RunSearch asked{.runs = {run},
                        .offers = {{*library.find_cluster("dgx-h100"), {64, 128}, false}},
                        .profile = find_kernel_profile(configs, "unknown")};
  RunChoice choice = run_choice(asked);
  REQUIRE(choice.runner_up);
  choice.lost_by = {{.name = "accelerator-time",
                     .ratio = 1.1,
                     .parts = {{StepPart::Compute, 0.04},
                               {StepPart::Launch, 0.03},
                               {StepPart::Tensor, 0.02},
                               {StepPart::Data, 0.01}}}};
  std::string text = plan_text(asked, choice, "tofn predict").details;
  std::replace(text.begin(), text.end(), '\n', ' ');
  const auto begin = text.find("accelerator-time +10.0 %");
  REQUIRE(begin != std::string::npos);
  const std::string told = text.substr(begin, text.find(')', begin) - begin);
  CHECK(told.find("+2.0 %") != std::string::npos);
  CHECK(told.find("+1.0 %") == std::string::npos);
}
