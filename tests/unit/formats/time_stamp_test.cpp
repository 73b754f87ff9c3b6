#include "sim/formats/text/time_stamp.hpp"

#include "tests/catch.hpp"

using namespace tofn;

namespace {

double between(const char* from, const char* to) {
  return seconds_between(*time_stamp_of(from), *time_stamp_of(to));
}

}  // namespace

TEST_CASE("time stamps in the forms that programs print") {
  CHECK(between("10/17/2025 16:31:56 [INFO", "10/17/2025 16:32:07 [INFO") == 11);
  CHECK(between("[2023-07-31 23:59:59,500] x", "[2023-08-01 00:00:00,250] x") == 0.75);
  CHECK(between("2025-03-04T00:44:44.441Z", "2025-03-05T00:44:44.441Z") == 86400);
  CHECK(between("25-04-30 02:54:32 - PID", "25-05-01 02:54:32 - PID") == 86400);
  CHECK(between("I 23:59:59 x", "I 00:00:01 x") == 2);
  CHECK(time_stamp_of("2025-03-04 00:44:44,441 -")->resolution < 0.0011);
}

TEST_CASE("what is no time of day is no stamp") {
  for (const char* line : {"1/9 [01:02:03<04:05:06, 2.0s/it]", "25:00:00", "24:00:00", "1:2:3",
                           "12:34", "pci 00:00:1f.0", "ratio 10:20:30:40"})
    CHECK(!time_stamp_of(line));
}
