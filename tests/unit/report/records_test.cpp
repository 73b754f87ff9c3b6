#include "sim/core/records.hpp"

#include <limits>

#include "tests/catch.hpp"

using namespace tofn;

namespace {

Records records_of(Value value) { return {.columns = {"x"}, .rows = {{std::move(value)}}}; }
std::string csv_of(Value value) { return to_csv(records_of(std::move(value))); }
std::string json_of(Value value) { return to_json(records_of(std::move(value))); }

}  // namespace

TEST_CASE("records are written as CSV with a header") {
  const Records records{.columns = {"name", "time_s", "runs"},
                        .rows = {{std::string("a"), 1.5, 10LL}, {std::string("b"), {}, {}}}};
  CHECK(to_csv(records) == "name,time_s,runs\na,1.5,10\nb,,\n");
  CHECK(to_csv({.columns = {"a", "b"}, .rows = {}}) == "a,b\n");
}

TEST_CASE("CSV text is quoted where RFC 4180 asks for it") {
  CHECK(csv_of(std::string("plain text; with 'quotes'")) == "x\nplain text; with 'quotes'\n");
  CHECK(csv_of(std::string("a,b")) == "x\n\"a,b\"\n");
  CHECK(csv_of(std::string("say \"hi\"")) == "x\n\"say \"\"hi\"\"\"\n");
  CHECK(csv_of(std::string("two\nlines")) == "x\n\"two\nlines\"\n");
  CHECK(csv_of(std::string("a\rb")) == "x\n\"a\rb\"\n");
}

TEST_CASE("records are written as JSON objects") {
  const Records records{.columns = {"name", "time_s", "runs"},
                        .rows = {{std::string("a"), 1.5, 10LL}, {std::string("b"), {}, {}}}};
  CHECK(to_json(records) ==
        "[\n  {\"name\": \"a\", \"time_s\": 1.5, \"runs\": 10},\n"
        "  {\"name\": \"b\", \"time_s\": null, \"runs\": null}\n]\n");
  CHECK(to_json({.columns = {"a"}, .rows = {}}) == "[\n]\n");
}

TEST_CASE("JSON text escapes quotes, backslashes and controls, and nothing else") {
  CHECK(json_of(std::string("say \"hi\"")) == "[\n  {\"x\": \"say \\\"hi\\\"\"}\n]\n");
  CHECK(json_of(std::string("C:\\x")) == "[\n  {\"x\": \"C:\\\\x\"}\n]\n");
  CHECK(json_of(std::string("a\nb\tc\x01")) == "[\n  {\"x\": \"a\\u000ab\\u0009c\\u0001\"}\n]\n");
  CHECK(json_of(std::string("\u00b5s/\u20ac")) == "[\n  {\"x\": \"\u00b5s/\u20ac\"}\n]\n");
}

TEST_CASE("JSON knows no infinity and no NaN") {
  CHECK(json_of(std::numeric_limits<double>::infinity()) == "[\n  {\"x\": null}\n]\n");
  CHECK(json_of(std::numeric_limits<double>::quiet_NaN()) == "[\n  {\"x\": null}\n]\n");
}

TEST_CASE("numbers have nine significant digits, whole numbers all of theirs") {
  CHECK(csv_of(1.0 / 3) == "x\n0.333333333\n");
  CHECK(csv_of(123456789012.0) == "x\n1.23456789e+11\n");
  CHECK(csv_of(123456789012LL) == "x\n123456789012\n");
}
