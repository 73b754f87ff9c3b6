#include "sim/core/words.hpp"

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("letters of ASCII alone become small") {
  CHECK(lower_case("H100 SXM-8") == "h100 sxm-8");
  CHECK(lower_case("\xC3\x84@[") == "\xC3\x84@[");
}

TEST_CASE("a shell takes a word back, in quotes where it needs them") {
  CHECK(shell_word("--nnodes=4") == "--nnodes=4");
  CHECK(shell_word("") == "''");
  CHECK(shell_word("it's $5") == "'it'\\''s $5'");
  CHECK(shell_word("~/a") == "'~/a'");
  CHECK(shell_quoted("plain") == "'plain'");
}

TEST_CASE("things are enumerated with one `and`") {
  CHECK(enumerated({}).empty());
  CHECK(enumerated({"a"}) == "a");
  CHECK(enumerated({"a", "b"}) == "a and b");
  CHECK(enumerated({"a", "b", "c"}) == "a, b and c");
}

TEST_CASE("one of a thing has no ending") {
  CHECK(counted(1, "rank") == "1 rank");
  CHECK(counted(std::size_t{0}, "NUMA node") == "0 NUMA nodes");
  CHECK(counted(2, "pass", "es") == "2 passes");
}
