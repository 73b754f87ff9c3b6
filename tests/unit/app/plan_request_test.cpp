#include "sim/app/plan_request.hpp"

#include "sim/app/answered.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("the command that predicts a search's choice repeats options that take several values") {
  const std::string text =
      answered({.command = "plan",
                .arguments = {"llama3-8b", "dgx-h100"},
                .options = {{"accelerators", 8LL},
                            {"tokens", std::string("1B")},
                            {"search", std::string("usual")},
                            {"wide", true},
                            {"times", std::string("network.nic_bandwidth=2")}}})
          .answer.text;
  CHECK_THAT(text, ContainsText("--times network.nic_bandwidth=2"));
  CHECK_THAT(text, ContainsText("--search usual"));
}
