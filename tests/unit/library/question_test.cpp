#include "tofn/question.hpp"

#include <cmath>
#include <thread>

#include "tests/catch.hpp"
#include "tofn/error.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const Question bert{.command = "predict",
                    .arguments = {"bert", "dgx-h100"},
                    .options = {{"accelerators", std::vector<Setting>{8, 64}}}};

}  // namespace

TEST_CASE("a question is the words of its command line", "[library]") {
  CHECK(command_line({.command = "scale",
                      .arguments = {"bert", "dgx-h100"},
                      .options = {{"replica_batch", 4}, {"grid", "world"}}}) ==
        std::vector<std::string>{"scale", "bert", "dgx-h100", "--replica-batch=4", "--grid=world"});
  CHECK(command_line({.command = "collective",
                      .options = {{"check", std::vector<Setting>{"a.txt", "b.txt"}}}}) ==
        std::vector<std::string>{"collective", "--check=a.txt", "--check=b.txt"});
  CHECK(command_line({.command = "plan", .options = {{"sensitivity", true}, {"budget", 0.5}}}) ==
        std::vector<std::string>{"plan", "--sensitivity", "--budget=0.5"});
  CHECK(command_line({.command = "plan", .options = {{"sensitivity", false}}}) ==
        std::vector<std::string>{"plan"});
}

TEST_CASE("an answer has a row a size, and its figures their units, intervals and meanings",
          "[library]") {
  const Answer both = answer(bert);
  REQUIRE(both.size() == 2);
  CHECK(both.exit_code() == 0);
  CHECK(both.number("accelerators", 1) == 64);
  CHECK(both.words("workload") == "bert");
  const Figure time = both.figure("time_to_train_min", 1);
  CHECK(time.unit == "min");
  CHECK(std::get<double>(time.value) == both.numbers("time_to_train_min")[1]);
  REQUIRE(time.low90);
  REQUIRE(time.high90);
  CHECK(*time.low90 < std::get<double>(time.value));
  CHECK(*time.high90 > std::get<double>(time.value));
  CHECK_FALSE(time.basis.empty());
  CHECK_FALSE(time.meaning.empty());
  CHECK_THAT(both.text(), ContainsText("64"));
  CHECK_THAT(both.csv(), ContainsText("workload,model"));
  CHECK_THAT(both.json(), ContainsText("\"accelerators\": 64"));
}

TEST_CASE("a cell that is empty is no number, and a text is refused as one", "[library]") {
  const Answer both = answer(bert);
  CHECK(std::isnan(both.number("memory_gb")));
  CHECK_THROWS_WITH(both.number("workload"), "workload: holds text, 'bert', and no number");
  CHECK_THROWS_WITH(both.number("days", 2), "row 2 of an answer of 2");
  CHECK_THROWS_WITH(both.number("dayz"),
                    ContainsText("unknown column 'dayz', did you mean 'days'?"));
}

TEST_CASE("mistakes are those of the command", "[library]") {
  CHECK_THROWS_WITH(answer({.command = "predikt"}),
                    ContainsText("unknown command 'predikt', did you mean 'predict'?"));
  CHECK_THROWS_WITH(
      answer({.command = "predict", .arguments = {"bert", "dgx-h10"}}),
      ContainsText(
          "unknown cluster 'dgx-h10', did you mean 'dgx-h100', 'dgx-a100' or 'dgx-h200'?"));
  CHECK_THROWS_WITH(answer({.command = "predict", .options = {{"acelerators", 8}}}),
                    ContainsText("unknown option 'acelerators', did you mean 'accelerators'?"));
  CHECK_THROWS_WITH(answer({.command = "plan", .options = {{"sensitivity", 3}}}),
                    "--sensitivity: takes no value: give true or false");
  try {
    answer({.command = "predict", .arguments = {"bert", "dgx-h100"}, .options = {{"price", "a"}}});
    FAIL("a price of 'a' was taken");
  } catch (const Error& error) {
    CHECK(error.exit_code() == 2);
  }
}

TEST_CASE("what is told beside an answer comes with it", "[library]") {
  const Answer rounded = answer({.command = "predict",
                                 .arguments = {"llama3-8b", "dgx-h100"},
                                 .options = {{"batch_tokens", "1000001"}}});
  REQUIRE(rounded.notices().size() == 1);
  CHECK_THAT(rounded.notices().front(), ContainsText("--batch-tokens 1000001 is taken as"));
}

TEST_CASE("several threads may ask at once", "[library]") {
  const Answer alone = answer(bert);
  std::vector<std::string> others(3);
  {
    std::vector<std::jthread> threads;
    for (std::string& other : others)
      threads.emplace_back([&other] { other = answer(bert).csv(); });
  }
  for (const std::string& other : others) CHECK(other == alone.csv());
}
