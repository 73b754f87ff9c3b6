#include "sim/core/error.hpp"

#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;

TEST_CASE("an error names file, line, column, key and problem") {
  CHECK(std::string(InputError({"a.yaml", 3, 7}, "node.nics", "is wrong").what()) ==
        "a.yaml:3:7: node.nics: is wrong");
}

TEST_CASE("what is not known is left out of an error") {
  CHECK(std::string(InputError({"a.csv", 3, 0}, "", "is wrong").what()) == "a.csv:3: is wrong");
  CHECK(std::string(InputError({"a.csv", 0, 7}, "", "is wrong").what()) == "a.csv: is wrong");
  CHECK(std::string(InputError(Location{}, "nics", "is wrong").what()) == "nics: is wrong");
  CHECK(std::string(InputError("is wrong").what()) == "is wrong");
}

TEST_CASE("an error is one plain line whatever it quotes") {
  CHECK(std::string(InputError("got 'a\nb\r\x1b[1m'").what()) == "got 'a b  [1m'");
}

TEST_CASE("an error found for a key bears its name and place") {
  const std::string value = "x";
  const auto& same = at_key({"a.yaml"}, "cluster", [&]() -> const std::string& { return value; });
  CHECK(&same == &value);
  CHECK(tofn::test::refusal([] {
          at_key({"a.yaml"}, "cluster", [] { throw InputError("unknown cluster 'x'"); });
        }) == "a.yaml: cluster: unknown cluster 'x'");
}
