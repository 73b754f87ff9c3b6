#include "sim/blocks/ranks.hpp"

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("blocks and failures arrive as they were sent") {
  const std::deque<std::string> blocks{"a:1\nb\n", "", std::string("x\0y\n", 4), "12:3\n"};
  CHECK(blocks_of(text_of(blocks)) == blocks);
  CHECK(blocks_of(text_of(std::deque<std::string>{})).empty());
  const Failure failure = failure_of(text_of(Failure{.exit_code = 143, .text = "a.yaml:3: no"}));
  CHECK(failure.exit_code == 143);
  CHECK(failure.text == "a.yaml:3: no");
}
