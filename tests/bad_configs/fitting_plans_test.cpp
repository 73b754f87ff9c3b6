#include <algorithm>
#include <string>
#include <utility>

#include "tests/bad_configs/program.hpp"
#include "tests/catch.hpp"
#include "tests/temporary_file.hpp"

// Tests of output and exit code when a plan does not fit the memory.
using namespace tofn::test;

TEST_CASE("a stated plan that does not fit is told in the headline and by the exit code") {
  const std::string job = "step llama3-70b dgx-h100 -N 64 --batch 64 --plan data-parallel --tp 2";
  const Outcome one = run_program(job);
  CHECK(one.exit_code == 1);
  CHECK_THAT(one.output.substr(0, one.output.find('\n')), ContainsText("DOES NOT FIT, "));
  CHECK_THAT(one.output, ContainsText("would fit     tp "));
  const Outcome gpt3 = run_program("predict gpt3 dgx-h100 -N 32");
  CHECK(gpt3.exit_code == 1);
  CHECK_THAT(gpt3.output.substr(0, gpt3.output.find('\n')), ContainsText("DOES NOT FIT"));
}

TEST_CASE("the exit code is the same in every command where no plan fits") {
  const std::string job = " llama3-405b dgx-h100 -N 8";
  for (const std::string command : {"predict", "step"})
    CHECK(run_program(command + job).exit_code == 1);
  for (const auto& [command, message] :
       {std::pair{"plan --tokens 2T", "dgx-h100, N = 8: no plan fits the memory"},
        std::pair{"plan --tokens 2T --format json", "dgx-h100, N = 8: no plan fits the memory"},
        std::pair{"scale --tokens 2T",
                  "N = 8: an accelerator needs 921.0 GB of memory and has 85.5"}}) {
    const Outcome outcome = run_program(command + job);
    CHECK(outcome.exit_code == 1);
    CHECK(outcome.output.empty());
    CHECK_THAT(outcome.errors, ContainsText(std::string("tofn: ") + message));
    CHECK(std::count(outcome.errors.begin(), outcome.errors.end(), '\n') == 1);
  }
}

TEST_CASE("the first of several sizes that do not fit speaks for the others") {
  const Outcome outcome = run_program("plan llama3-405b dgx-h100 --tokens 2T -N 8,16");
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.errors ==
        "tofn: dgx-h100, N = 8: no plan fits the memory (nor can the other be had)\n");
}

TEST_CASE("what is not stated of a plan is chosen so that it fits, and told") {
  for (const char* stated : {"", " --tp 8", " --tp 2 --pp 4"}) {
    const Outcome step =
        run_program("step llama3-70b dgx-h100 -N 64 --batch 64" + std::string(stated));
    CHECK(step.exit_code == 0);
    CHECK_THAT(step.output,
               ContainsText("the rest of the plan is that of the fastest step that fits"));
    CHECK_THAT(step.output, !ContainsText("DOES NOT FIT"));
  }
}

TEST_CASE("every row that does not fit is marked") {
  const Outcome sizes = run_program("predict gpt3 dgx-h100 -N 32,64,256");
  CHECK(sizes.exit_code == 1);
  for (const char* row : {"32!  2048", "64  2048", "256  2048"})
    CHECK_THAT(sizes.output, ContainsText(row));
  CHECK_THAT(sizes.output, ContainsText("!: THE PLAN DOES NOT FIT"));
}

TEST_CASE("a size that does not fit is no base of a speedup, and says so first") {
  const std::string job =
      "predict llama3-70b dgx-h100 --tokens 1T --tp 8 --pp 1 --batch 512 "
      "--sharded nothing -N ";
  const auto first_line = [](const Outcome& outcome) {
    return outcome.output.substr(0, outcome.output.find('\n'));
  };
  CHECK_THAT(first_line(run_program(job + "64")), ContainsText("dgx-h100): DOES NOT FIT, "));
  CHECK_THAT(first_line(run_program(job + "64,128")),
             ContainsText("DOES NOT FIT at any of these sizes; if it did: trains in "));
  const std::string steps =
      "step llama3-70b dgx-h100 --replica-batch 1 --sharded parameters --recompute full -N ";
  const Outcome table = run_program(steps + "8,64,256");
  CHECK(table.exit_code == 1);
  CHECK_THAT(first_line(table), ContainsText(" on 64, "));
  CHECK_THAT(first_line(table), ContainsText(" on 256 accelerators: "));
}

TEST_CASE("the optimizer goes to the host before nothing is said to fit") {
  const Outcome alone = run_program("step llama3-8b dgx-h100 -N 1 --batch 4");
  CHECK(alone.exit_code == 1);
  CHECK_THAT(alone.output, ContainsText("(what would: below)"));
  CHECK_THAT(alone.output, ContainsText("would fit     "));
  const Outcome none = run_program("step llama3-70b dgx-h100 -N 1 --batch 4");
  CHECK_THAT(none.output,
             ContainsText("would fit     no plan on as many accelerators was found: try "
                          "more of them (-N), or tofn predict --search all"));
}

TEST_CASE("what is odd of a size, a batch or a precision is told") {
  CHECK_THAT(run_program("predict llama3-8b dgx-h100 -N 250 --tokens 1T").output,
             ContainsText("whole nodes are 248 or 256"));
  CHECK_THAT(run_program("predict llama3-70b dgx-h100 -N 512 --tokens 1T --batch 511").output,
             ContainsText("with 512 a sample takes"));
  const std::string fp4 =
      run_program("predict llama3-8b dgx-b200 --precision fp4 --tokens 1T --details").output;
  CHECK_THAT(fp4, ContainsText("assumed to reach the same loss in as many samples"));
  CHECK_THAT(fp4, ContainsText("products in fp4 reach the share of peak that those in fp8 reach"));
  CHECK(run_program("predict llama3-8b dgx-h100 -N 64 --tokens 1T --sequence-length 1048576")
            .errors.empty());
}

TEST_CASE("a step to compare with that does not fit is told so") {
  const Outcome outcome = run_program(
      "step llama3-8b dgx-h100 -N 64 --batch 256 --sharded gradients --micro-batch 1 --tp 1 --pp 1 "
      "--explain fsdp");
  CHECK(outcome.exit_code == 0);
  CHECK_THAT(outcome.output,
             ContainsText("llama3-8b on 64 x H100 SXM (dgx-h100): DOES NOT FIT, 195 GB of "
                          "86; if it did: "));
}

TEST_CASE("rows of a sweep that do not fit are counted, whatever their columns") {
  const TemporaryFile file("fitting-sweep.yaml",
                           "name: test\ntitle: a test\nbase:\n  model: llama3-8b\n"
                           "  cluster: dgx-h100\n  plan: data-parallel\n  accelerators: 64\n"
                           "  tokens: 200B\n  batch: 256\n"
                           "axes:\n  - sharded: [nothing, parameters]\n  - recompute: [full]\n"
                           "  - micro_batch: [1]\ncolumns: [step_s, days, cost_usd]\n");
  const std::string stated = run_program("sweep " + file.path().string()).output;
  CHECK_THAT(stated, ContainsText("2 rows, 1 of the rows does not fit the memory\n"));
  const auto row_of = [&](const std::string& sharded) {
    const std::size_t row = stated.find('\n' + sharded + ' ');
    return stated.substr(row, stated.find('\n', row + 1) - row);
  };
  CHECK_THAT(row_of("nothing"), ContainsText("!"));
  CHECK_THAT(row_of("parameters"), !ContainsText("!"));
}

TEST_CASE("a sweep that states no plan has the one of predict in each row") {
  // 32 billion parameters at 18 bytes are 580 GB, so an unsplit model never fits 86 GB.
  const TemporaryFile file("open-sweep.yaml",
                           "name: test\ntitle: a test\nbase:\n  model: olmo2-32b\n"
                           "  cluster: dgx-h100\n  tokens: 1T\n  batch: 512\n"
                           "axes:\n  - accelerators: [128]\ncolumns: [days]\n");
  const Outcome swept = run_program("sweep " + file.path().string() + " --format csv");
  CHECK(swept.exit_code == 0);
  CHECK_THAT(swept.output, ContainsText("point,accelerators,days,fits,plan\n"));
  const Outcome predicted =
      run_program("predict olmo2-32b dgx-h100 -N 128 --tokens 1T --batch 512");
  const std::size_t start = swept.output.find(",1,\"") + 4;
  const std::string plan = swept.output.substr(start, swept.output.rfind('"') - start);
  CHECK_THAT(predicted.output, ContainsText("plan          " + plan.substr(0, 20)));
}
