#include "sim/answers/repeat_answer.hpp"

#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

AnswerFile answer(double step, const std::string& digest) {
  return {.from = {.version = "0.1.0",
                   .commit = "abc",
                   .command = {"predict", "bert", "-N", "8 \"quoted\""},
                   .files = {{"clusters/a.yaml", digest}, {"models/b.yaml", "1"}}},
          .rows = {.columns = {"accelerators", "step_ms", "note"},
                   .rows = {{8LL, step, Value{}}, {16LL, 2.0, std::string("x")}}}};
}

}  // namespace

TEST_CASE("an answer in JSON reads back as it was written") {
  const AnswerFile written = answer(1.25, "0");
  const AnswerFile read = read_answer(to_json(written), "a.json");
  CHECK(read.from.command == written.from.command);
  CHECK(read.from.files == written.from.files);
  CHECK(read.from.commit == "abc");
  CHECK(read.rows.columns == written.rows.columns);
  CHECK(repeat_answer(written, read).changed.empty());
}

TEST_CASE("rows without their command are no answer") {
  CHECK(refusal([] {
          read_answer("[{\"a\": 1}]", "a.json");
        }).starts_with("a.json: is no answer of tofn"));
}

TEST_CASE("an answer that is as it was has no changed figure") {
  const RepeatAnswer same = repeat_answer(answer(1.25, "0"), answer(1.25 * (1 + 1e-10), "0"));
  CHECK(same.changed.empty());
  CHECK(same.files.empty());
  CHECK(same.figures == 6);
}

TEST_CASE("a figure and a file that changed are named") {
  const RepeatAnswer other = repeat_answer(answer(1.25, "0"), answer(1.5, "7"));
  REQUIRE(other.changed.size() == 1);
  CHECK(other.changed[0].row == 1);
  CHECK(other.changed[0].figure == "step_ms");
  CHECK_THAT(*other.changed[0].change(), WithinRel(0.2, 1e-12));
  CHECK(other.files == std::vector<std::string>{"clusters/a.yaml"});
}

TEST_CASE("figures that came or went are changes, rows that did are counted") {
  AnswerFile now = answer(1.25, "0");
  now.rows.columns[2] = "remark";
  now.rows.rows.pop_back();
  const RepeatAnswer other = repeat_answer(answer(1.25, "0"), now);
  CHECK(other.rows_before == 2);
  CHECK(other.rows_now == 1);
  REQUIRE(other.changed.size() == 1);  // `note` was empty and still is
  CHECK(other.changed[0].figure == "remark");
}

TEST_CASE("a figure that became a text is a change") {
  AnswerFile now = answer(1.25, "0");
  now.rows.rows[0][1] = std::string("unknown");
  const RepeatAnswer other = repeat_answer(answer(1.25, "0"), now);
  REQUIRE(other.changed.size() == 1);
  CHECK(other.changed[0].figure == "step_ms");
  CHECK_FALSE(other.changed[0].change());  // there is no share
  const RepeatAnswer back = repeat_answer(now, answer(1.25, "0"));
  REQUIRE(back.changed.size() == 1);
  CHECK_FALSE(back.changed[0].change());
  CHECK_FALSE(repeat_answer(answer(0, "0"), answer(1.25, "0")).changed.at(0).change());
}
