#include <string>

#include "tests/bad_configs/program.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn::test;

namespace {

std::string answer(const std::string& arguments) {
  INFO("tofn " << arguments);
  const Outcome outcome = run_program(arguments);
  CHECK(outcome.exit_code == 0);
  return outcome.output;
}

/// Plan file that states one setting.
std::string plan_with(const std::string& setting) {
  return "name: a\ntensor_parallel: 4\ncontext_parallel: 1\nsettings: {" + setting + "}\n";
}

}  // namespace

// Sequence parallelism that a file does not list is off, whereas an option that is not given is
// open.
TEST_CASE("a plan file's settings act, and options go above them") {
  const std::string job =
      "step llama3-8b dgx-h100 -N 64 --batch 64 --sharded parameters --recompute full --format csv";
  const std::string split = job + " --tp 4 --sequence-parallel off";
  const TemporaryFile fp8("plan.yaml", plan_with("precision: fp8"));
  const std::string with_file = job + " --plan '" + fp8.path().string() + "'";
  CHECK(answer(with_file) == answer(split + " --precision fp8"));
  CHECK(answer(with_file + " --precision bf16") == answer(split));
  CHECK(answer(with_file) != answer(split));
  const TemporaryFile sharp("plan.yaml", plan_with("in_network_reduction: true"));
  CHECK(answer(job + " --plan '" + sharp.path().string() + "'") == answer(split + " --sharp on"));
  CHECK(answer(split + " --sharp on") != answer(split));
}
