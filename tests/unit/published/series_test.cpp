#include "sim/published/series.hpp"

#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Message that refuses the file, without its name.
std::string refusal_of_series(const std::string& text) {
  const TemporaryFile file("series.csv", text);
  const std::string whole = refusal([&] { read_series(file.path()); });
  const std::string name = file.path().string();
  return whole.starts_with(name) ? whole.substr(name.size()) : whole;
}

}  // namespace

TEST_CASE("a series is read in ascending order, in minutes") {
  const TemporaryFile file("series.csv", "system,accelerators,seconds\nb,64,30\na,8,120\n");
  const auto points = read_series(file.path()).points;
  REQUIRE(points.size() == 2);
  CHECK(points[0].accelerators == 8);
  CHECK(points[0].minutes == 2);
  CHECK(points[1].accelerators == 64);
  CHECK(points[1].minutes == 0.5);
}

TEST_CASE("a bad series is refused at its cell") {
  CHECK(refusal_of_series("accelerators,minutes\n8,10\n") ==
        ": accelerators: a series needs at least two sizes, this one has 1");
  CHECK(refusal_of_series("accelerators,minutes\n8,10\n16,6\n8,9\n") ==
        ":4:1: accelerators: 8 stands on line 2 already");
  CHECK(refusal_of_series("accelerators,minutes\n8,ten\n16,6\n") ==
        ":2:3: minutes: expected a number above 0, got 'ten'");
  CHECK(refusal_of_series("accelerators,minutes\n8,0\n16,6\n") ==
        ":2:3: minutes: expected a number above 0, got '0'");
  CHECK(refusal_of_series("accelerators,minutes\n8.5,1\n16,6\n") ==
        ":2:1: accelerators: expected a whole number from 1 to 1000000, got '8.5'");
  CHECK(refusal_of_series("accelerators,hours\n8,1\n16,6\n") ==
        ": minutes: a series needs this column or 'seconds', and only one of them");
  CHECK(refusal_of_series("accelerators,minutes,seconds\n8,1,60\n16,6,360\n") ==
        ": minutes: a series needs this column or 'seconds', and only one of them");
}

TEST_CASE("of a series whose last line has no end the last number may be cut") {
  const TemporaryFile cut("series.csv", "accelerators,minutes\n8,120\n64,1");
  CHECK(read_series(cut.path()).remarks ==
        std::vector{cut.path().string() + ":3:4: minutes: the last line has no end: 1 may be cut"});
  const TemporaryFile whole("series.csv", "accelerators,minutes,system\n8,120,a\n64,18,b");
  CHECK(read_series(whole.path()).remarks.empty());
}

TEST_CASE("systems of one size count by their median") {
  const auto points =
      medians_by_size({{"a", {64, 2}}, {"b", {8, 10}}, {"c", {8, 30}}, {"d", {8, 11}}});
  REQUIRE(points.size() == 2);
  CHECK(points[0].accelerators == 8);
  CHECK(points[0].minutes == 11);
  CHECK(points[1].minutes == 2);
}
