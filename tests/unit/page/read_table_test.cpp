#include "sim/page/read_table.hpp"

#include "sim/core/records.hpp"
#include "sim/report/step_report.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

using Row = std::vector<Value>;

std::string refusal_of(const std::string& text) {
  const TemporaryFile file("table", text);
  std::string stated = refusal([&] { read_page_table(file.path()); });
  const std::string name = file.path().string();
  return stated.starts_with(name) ? stated.substr(name.size()) : stated;
}

}  // namespace

TEST_CASE("cells of a CSV file are numbers where they can be") {
  const TemporaryFile file("cells.csv", "name,n,x\na,8,1.5e3\n,,nan\n");
  const Records read = read_page_table(file.path()).records;
  CHECK(read.columns == std::vector<std::string>{"name", "n", "x"});
  CHECK(read.rows ==
        std::vector<Row>{{std::string("a"), 8LL, 1500.0}, {{}, {}, std::string("nan")}});
}

TEST_CASE("empty lines and comments may stand before the titles of a CSV file") {
  for (const char* before : {"\n", "\r\n", "# a comment\n\n"}) {
    const TemporaryFile file("late.csv", std::string(before) + "n,x\n8,1.5\n9,2.5\n");
    CHECK(read_page_table(file.path()).records.columns == std::vector<std::string>{"n", "x"});
  }
}

TEST_CASE("the same table is read from CSV and from JSON") {
  const Records records{.columns = {"a", "b"}, .rows = {{1LL, 2.5}, {std::string("x"), {}}}};
  const TemporaryFile csv("same.csv", to_csv(records));
  const TemporaryFile json("same.json", to_json(records));
  CHECK(read_page_table(csv.path()).records.rows == records.rows);
  CHECK(read_page_table(json.path()).records.rows == records.rows);
}

TEST_CASE("a file that has nothing to draw is told what it lacks") {
  CHECK(refusal_of("a,b\n") == ": has no rows");
  CHECK(refusal_of("[]") == ": has no rows");
  CHECK(refusal_of("# a comment\n\nname: x\nlist: [1, 2]\n") ==
        ": is neither JSON nor CSV with two columns at least");
  CHECK(refusal_of("# only\n# comments") == ": is neither JSON nor CSV with two columns at least");
  CHECK(refusal_of("name,n\nx,1\n") ==
        ": is no output that tofn draws, and has no two columns of numbers");
  CHECK(refusal_of("[{\"ph\": \"M\", \"pid\": 0, \"tid\": 0, \"ts\": 0, \"dur\": 0}]") ==
        ": the trace has no spans (`ph` X)");
}

TEST_CASE("of a table that would make a page too large a part is shown, which is said") {
  std::string text = "x,y\n";
  for (int i = 0; i < 20'000; ++i) text += "1,2\n";
  const TemporaryFile file("many.csv", text);
  const PageTable table = read_page_table(file.path());
  CHECK(table.rows_in_all == 20'000);
  CHECK(table.records.rows.size() <= 5'001);
}

TEST_CASE("the text of an answer comes with its rows") {
  const TemporaryFile file(
      "answer.json",
      R"({"tofn": "1", "command": ["predict", "bert"], "text": "in a sentence\nplan  tp 2\n",
    "rows": [{"x": 1, "text": 2}, {"x": 3, "text": 4}]})");
  CHECK(read_page_table(file.path()).answers ==
        std::vector<std::string>{"in a sentence\nplan  tp 2\n"});
  CHECK(read_page_table(file.path()).origin.ends_with("answer.json: tofn predict bert"));
  const TemporaryFile without("rows.json", R"([{"x": 1, "text": 2}, {"x": 3, "text": 4}])");
  CHECK(read_page_table(without.path()).answers.empty());
}

TEST_CASE("tables of one kind and the same columns are joined, any table is not") {
  const std::vector<std::string> steps = step_records({}).columns;
  const auto step = [&](const char* name) {
    return page_table({.columns = steps, .rows = {Row(steps.size(), Value{1.0})}}, name);
  };
  const auto any = [](const char* name) {
    return page_table({.columns = {"x", "y"}, .rows = {{1.0, 2.0}}}, name);
  };
  const auto tables = joined({step("a"), any("b"), step("c"), any("d")});
  REQUIRE(tables.size() == 3);
  CHECK(tables[0].origin == "a, c");
  CHECK(tables[0].records.rows.size() == 2);
  CHECK(tables[2].origin == "d");
}
