#include "microbench/harness/row_text.hpp"

#include "microbench/harness/progress.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::bench;
using namespace tofn::test;

TEST_CASE("numbers have four significant digits without an exponent where they fit") {
  CHECK(short_number(12.346) == "12.35");
  CHECK(short_number(1) == "1.000");
  CHECK(short_number(123.44) == "123.4");
  CHECK(short_number(10480.2) == "10480");
  CHECK(short_number(-12.346) == "-12.35");
  CHECK(short_number(0.18426) == "0.1843");
  CHECK(short_number(0.0018426) == "0.0018");
  CHECK(short_number(0.00018426) == "1.84e-04");
  CHECK(short_number(0) == "0");
}

TEST_CASE("the columns of a point") {
  RecordPoint point;
  point.host_samples = std::vector<double>(20, 12.346e-6);
  point.host_samples[3] = 1;
  point.summary = {.median = 12.346e-6,
                   .interval = {.low = 12.2e-6, .high = 12.5e-6},
                   .repeat = {.low = 12.0987e-6, .high = 12.5933e-6}};
  const std::string headings = time_headings();
  CHECK(headings == "      time         95 % interval   repeat samples outl.");
  CHECK(time_units().size() == headings.size());
  // A repeat run is within (12.5933 - 12.0987) / 2 / 12.346 = 2.003 %. The sign has two bytes.
  CHECK(time_columns(point) == "     12.35         12.20 - 12.50     ±2.0      20     1");
  point.summary.interval = {.low = 1e-12, .high = 2e-9};
  point.summary.repeat = {.low = 0, .high = 1};
  CHECK(time_columns(point) == "     12.35               unknown ±over 999      20     1");
}

TEST_CASE("notes leave out what has a column") {
  RecordPoint point;
  CHECK(notes(point).empty());
  point.flags = {"bimodal: x", "outliers: 3 of 4", "unsettled: y"};
  CHECK(notes(point) == "bimodal: x; unsettled: y");
  point.figures = {{"bus_bandwidth_gb_s", 12.346}};
  CHECK(figure(point, "bus_bandwidth_gb_s") == "12.35");
  CHECK(figure(point, "algorithm_bandwidth_gb_s") == "-");
}

TEST_CASE("the time left follows from the share that is done") {
  CHECK(time_left(65, 0.5) == "1:05 left");
  CHECK(time_left(30, 0.75) == "0:10 left");
  CHECK(time_left(3661, 0.5) == "1:01:01 left");
  CHECK(time_left(10, 0) == "10 s so far");
  CHECK(time_left(10, 1.2) == "0:00 left");
}
