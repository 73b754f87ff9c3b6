#include "sim/report/repeat_report.hpp"

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("a repeated answer tells rows only where their number changed") {
  RepeatAnswer answer;
  answer.before.command = {"sweep", "a.yaml"};
  answer.rows_before = answer.rows_now = 3;
  answer.figures = 12;
  CHECK_THAT(repeat_text(answer), !ContainsText("rows "));
  CHECK_THAT(repeat_text(answer), ContainsText("figures       12 of 12 as they were\n"));
  answer.rows_now = 4;
  CHECK_THAT(repeat_text(answer), ContainsText("rows          3 then, 4 now\n"));
}
