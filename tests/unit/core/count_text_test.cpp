#include "sim/core/count_text.hpp"

#include <string>

#include "tests/catch.hpp"

using namespace tofn;

TEST_CASE("counts are read with the suffixes that people write") {
  CHECK(parse_count("2T") == 2e12);
  CHECK(parse_count("1 T") == 1e12);
  CHECK(parse_count("200B") == 200e9);
  CHECK(parse_count("200G") == 200e9);
  CHECK(parse_count("4M") == 4e6);
  CHECK(parse_count("512k") == 512e3);
  CHECK(parse_count("15.6T") == 15.6e12);
  CHECK(parse_count("1.4e12") == 1.4e12);
  CHECK(parse_count("300") == 300);
  for (const char* wrong : {"", "T", " T", "2  T", "2TB", "two", "2.5.1M", "1e400", "nan", "inf"})
    CHECK_FALSE(parse_count(wrong).has_value());
}

TEST_CASE("counts print as they are written, and read back as the same number") {
  CHECK(count_text(2e12) == "2T");
  CHECK(count_text(70e9) == "70B");
  CHECK(count_text(4194304) == "4.194304M");
  CHECK(count_text(768) == "768");
  CHECK(count_text(1e15 / 3) == "333.3333333333333T");
  for (const double count : {1.0, 999.0, 1e3, 123456789.0, 1e12 / 7, 2.81e13})
    CHECK(parse_count(count_text(count)) == count);
  CHECK(count_text(366.123e9, 4) == "366.1B");
  CHECK(count_text(12.3456, 3) == "12.3");
  CHECK(count_text(950.4e3, 2) == "950k");
  CHECK(count_text(108e3, 2) == "110k");
  CHECK(count_text(999.9e3, 2) == "1M");
  CHECK(short_count_text(1536) == "1536");
  CHECK(short_count_text(4096) == "4096");
  CHECK(short_count_text(99999) == "99999");
  CHECK(short_count_text(100000) == "100k");
  CHECK(short_count_text(1234.5) == "1.234k");
  CHECK(short_count_text(0) == "0");
}
