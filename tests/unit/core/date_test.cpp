#include "sim/core/date.hpp"

#include "tests/catch.hpp"

using namespace tofn;

namespace {

std::chrono::sys_days day(std::string_view text) { return parse_date(text).value(); }

}  // namespace

TEST_CASE("dates are days of the calendar") {
  CHECK((day("2027-03-01") - day("2027-02-28")).count() == 1);
  CHECK((day("2028-03-01") - day("2028-02-28")).count() == 2);  // a leap year
  CHECK((day("2027-03-01") - day("2026-11-23")).count() == 98);
  CHECK(day("1970-01-02").time_since_epoch().count() == 1);
  CHECK(date_text(day("2027-03-01")) == "2027-03-01");
  CHECK(parse_date(date_text(today())) == today());
}

TEST_CASE("what is no day of the calendar is no date") {
  for (const char* text : {"", "2027", "2027-3-1", "2027-02-29", "2027-13-01", "2027-00-10",
                           "2027-01-00", "2027/03/01", "01-03-2027", "2027-03-01 ", "+027-03-01"}) {
    INFO(text);
    CHECK(!parse_date(text));
  }
}
