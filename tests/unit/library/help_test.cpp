#include "tofn/help.hpp"

#include <algorithm>

#include "tests/catch.hpp"
#include "tofn/error.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const Option* find(const std::vector<Option>& options, const std::string& name) {
  const auto found = std::find_if(options.begin(), options.end(),
                                  [&](const Option& option) { return option.name == name; });
  return found == options.end() ? nullptr : &*found;
}

}  // namespace

TEST_CASE("a command's options are the rows of its help", "[library]") {
  const auto options = options_of_command("predict");
  REQUIRE(find(options, "replica-batch"));
  CHECK(find(options, "replica-batch")->takes_value);
  CHECK_FALSE(find(options, "sensitivity")->takes_value);
  CHECK(find(options, "cluster")->is_argument);
  CHECK_FALSE(find(options, "tokens")->is_argument);
  CHECK(find(options, "configs"));
  CHECK_FALSE(find(options, "help"));
  for (const Option& option : options)
    CHECK_THAT(help("predict"), ContainsText("--" + option.name + " "));
}

TEST_CASE("files may be several", "[library]") {
  CHECK(find(options_of_command("validate"), "what")->is_argument);
}

TEST_CASE("a step has options of models and of workloads", "[library]") {
  const auto options = options_of_command("step");
  CHECK(find(options, "trace"));
  CHECK(find(options, "release"));
  CHECK_THROWS_WITH(options_of_command("stap"), ContainsText("did you mean 'step'?"));
}
