#include "sim/formats/text/json_rows.hpp"

#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

Records rows_of(const std::string& text) { return json_rows(text, "f.json"); }
std::string refusal_of(const std::string& text) {
  return refusal([&] { rows_of(text); });
}
using Row = std::vector<Value>;

}  // namespace

TEST_CASE("an array of objects is a table with the columns in order of appearance") {
  const Records read = rows_of(R"([{"b": 1, "a": "x"}, {"a": null, "c": 2.5}])");
  CHECK(read.columns == std::vector<std::string>{"b", "a", "c"});
  CHECK(read.rows == std::vector<Row>{{1LL, std::string("x"), {}}, {{}, {}, 2.5}});
}

TEST_CASE("an object a line is a table") {
  const Records read = rows_of("{\"a\": 1}\n\n{\"a\": 2}\n");
  CHECK(read.rows == std::vector<Row>{{1LL}, {2LL}});
  CHECK(refusal_of("{\"a\": 1}\n{\"a\": }\n") == "f.json:2:7: is not JSON here");
  CHECK(refusal_of("{\"a\": 1}\n[2]\n") == "f.json:2:1: expected an object");
}

TEST_CASE("the events of a trace are a table, arguments under their own name") {
  const Records read =
      rows_of("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n{\"ph\":\"X\",\"args\":{\"k\":3}}]}");
  CHECK(read.columns == std::vector<std::string>{"ph", "args.k"});
  CHECK(read.rows == std::vector<Row>{{std::string("X"), 3LL}});
}

TEST_CASE("what is no number or text is kept as JSON") {
  CHECK(rows_of(R"([{"a": true, "b": [1, 2]}])").rows ==
        std::vector<Row>{{std::string("true"), std::string("[1,2]")}});
  // The number exceeds a signed whole number of 64 bits.
  CHECK(rows_of(R"([{"a": 18446744073709551615}])").rows == std::vector<Row>{{0x1p64}});
}

TEST_CASE("JSON that is no table is refused with what is wrong") {
  CHECK(refusal_of("[1]") == "f.json: [0]: expected an object with a key per column");
  CHECK(refusal_of("{\"a\": 1}") ==
        "f.json: holds no table: expected an array of objects, an object a line, an answer of "
        "tofn, or "
        "a trace");
  CHECK(refusal_of("[{\n\"a\" 1}]") == "f.json:2:5: is not JSON here");
  CHECK(refusal_of("[" + std::string(100'000, '[')) == "f.json: is nested too deep for a table");
  CHECK(refusal_of("[{\"a\": 1e999}]") == "f.json: holds a number that is too large");
}
