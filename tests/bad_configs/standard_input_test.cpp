#include <string>

#include "sim/core/file.hpp"
#include "tests/bad_configs/program.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Outcomes of the same command with a file and with that file on standard input.
struct BothWays {
  Outcome of_file;
  Outcome of_input;
};

/// Runs both; `{}` in `arguments` stands for the file.
BothWays run_both_ways(const std::string& arguments, const std::string& file) {
  return {.of_file = run_program(with_each_replaced(arguments, "{}", "'" + file + "'")),
          .of_input = run_program(with_each_replaced(arguments, "{}", "-") + " <'" + file + "'")};
}

}  // namespace

TEST_CASE("what a command reads may come from standard input") {
  struct Case {
    std::string arguments;
    std::string file;
  };
  const std::string measured = TOFN_SOURCE_DIR "/tests/measurements/";
  for (const Case& each :
       {Case{"predict {} dgx-h100 -N 16", configs_folder() + "/models/llama3-8b.yaml"},
        Case{"predict llama3-8b {} -N 16", configs_folder() + "/clusters/dgx-h100.yaml"},
        Case{"predict llama3-8b dgx-h100 -N 16 --plan {}",
             configs_folder() + "/plans/data-parallel.yaml"},
        Case{"predict {} dgx-h100 -N 64", configs_folder() + "/workloads/bert.yaml"},
        Case{"step {} dgx-h100 -N 64", configs_folder() + "/workloads/bert.yaml"},
        Case{"plan {} dgx-h100 -N 1024", configs_folder() + "/runs/olmo2-7b-pretraining.yaml"},
        Case{"sweep {}", configs_folder() + "/sweeps/llama3-70b-plans.yaml"},
        Case{"step --cases {}", configs_folder() + "/measured/megatron-a100.csv"}}) {
    INFO(each.arguments << " of " << each.file);
    const BothWays both = run_both_ways(each.arguments + " --format csv", each.file);
    CHECK(both.of_file.exit_code <= 1);  // a plan may not fit
    CHECK(both.of_input.exit_code == both.of_file.exit_code);
    CHECK(!both.of_input.output.empty());
    CHECK(both.of_input.output == both.of_file.output);
  }
  const BothWays log = run_both_ways("collective --check {} --cluster dgx-a100 --format csv",
                                     measured + "stas00-1x8-allreduce.txt");
  CHECK(log.of_file.exit_code <= 1);
  CHECK(log.of_input.exit_code == log.of_file.exit_code);
  CHECK(!log.of_input.output.empty());
}

TEST_CASE("check tells kinds of standard input apart") {
  const auto stated = [](const std::string& file) {
    return run_program("check - <'" + file + "'").output;
  };
  CHECK(stated(configs_folder() + "/clusters/dgx-h100.yaml") == "standard input: ok (cluster)\n");
  CHECK_THAT(stated(configs_folder() + "/published/mlperf-training-v5.0.csv"),
             ContainsText("standard input: ok (published table, "));
  CHECK_THAT(stated(TOFN_SOURCE_DIR "/tests/measurements/stas00-1x8-allreduce.txt"),
             ContainsText("standard input: ok (log of collectives; all-reduce over 8 ranks"));
}

TEST_CASE("a mistake in standard input is told with its line") {
  check_refused(
      "predict llama3-8b dgx-h100 --tokens 2T --prices - <"
      "'{cases}/prices-no-unit.yaml'",
      "standard input:8:16: clusters.dgx-h100.on_demand: expected a price above 0 such "
      "as '6.88 USD/h', got '2.10'");
  check_refused("check - </dev/null", "standard input: is empty");
  check_refused("predict - - -N 64 <'{configs}/clusters/dgx-h100.yaml'",
                "'-' stands twice: standard input can be read once");
}

TEST_CASE("an answer of standard input says so, and cannot be repeated") {
  const TemporaryFile answer("answer.json", "");
  const std::string file = answer.path().string();
  const Outcome request =
      run_program("predict - dgx-h100 -N 16 --format json <'" + configs_folder() +
                  "/models/llama3-8b.yaml' -o '" + file + "'");
  REQUIRE(request.exit_code == 0);
  CHECK_THAT(read_text_file(file), ContainsText("\"standard input\": \""));
  check_refused("repeat '" + file + "'",
                file +
                    ": command: has read standard input, which is gone: an answer can be "
                    "repeated whose input was a file");
}
