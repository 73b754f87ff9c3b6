#include "sim/report/text_table.hpp"

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("columns are as wide as their widest cell and aligned") {
  CHECK(text_table({{"system", Align::Left}, {"N"}, {"minutes"}},
                   {{"dgx", "8", "12.5"}, {"a long name", "1024", "3.456"}}) ==
        "system         N minutes\n"
        "----------- ---- -------\n"
        "dgx            8    12.5\n"
        "a long name 1024   3.456\n");
}

TEST_CASE("lines of a table do not end in spaces") {
  CHECK(text_table({{"N"}, {"note", Align::Left}}, {{"8", ""}, {"16", "slow"}}) ==
        " N note\n"
        "-- ----\n"
        " 8\n"
        "16 slow\n");
}

TEST_CASE("a table without rows keeps its header") {
  CHECK(text_table({{"N"}, {"minutes"}}, {}) == "N minutes\n- -------\n");
}

TEST_CASE("a text that does not fit is cut and marked") {
  CHECK(fitted("eight88", 8) == "eight88");
  CHECK(fitted("exactly8", 8) == "exactly8");
  CHECK(fitted("nine chars", 8) == "nine c..");
}
