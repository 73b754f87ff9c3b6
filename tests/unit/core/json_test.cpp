#include "sim/core/json.hpp"

#include <limits>
#include <string_view>

#include "tests/catch.hpp"

using namespace tofn;
using namespace std::string_view_literals;

TEST_CASE("JSON text escapes quotes, backslashes and controls, and keeps other characters") {
  CHECK(json_text("") == R"("")");
  CHECK(json_text("say \"hi\" to C:\\x") == R"("say \"hi\" to C:\\x")");
  CHECK(json_text("a\nb\0c"sv) == R"("a\u000ab\u0000c")");
  CHECK(json_text("µ € \U0001F600") == "\"µ € \U0001F600\"");
}

TEST_CASE("bytes that are no UTF-8 become the replacement character one by one") {
  CHECK(json_text("caf\xe9!") == "\"caf\uFFFD!\"");
  CHECK(json_text("\xe2\x82") == "\"\uFFFD\uFFFD\"");  // the first two of a euro sign's bytes
}

TEST_CASE("JSON numbers read back as the same double and never look whole") {
  CHECK(json_number(0.1) == "0.1");
  CHECK(json_number(1.0 / 3) == "0.3333333333333333");
  CHECK(json_number(2) == "2.0");
  CHECK(json_number(-1e300) == "-1e+300");
  CHECK(json_number(1.0 / 3, 3) == "0.333");
  CHECK(json_number(2, 3) == "2");
  for (const double value :
       {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    CHECK(json_number(value) == "null");
    CHECK(json_number(value, 7) == "null");
  }
}
