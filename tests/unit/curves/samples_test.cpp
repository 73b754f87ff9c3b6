#include "sim/curves/samples.hpp"

#include "sim/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/unit/curves/known_tables.hpp"

namespace tofn {

using test::ContainsText;
using test::table_of;
using test::WithinRel;

TEST_CASE("repeats of a size become their median") {
  const Samples samples = samples_of(table_of({{8, 10}, {8, 12}, {8, 40}, {16, 13}}));
  REQUIRE(samples.sound.size() == 2);
  CHECK_THAT(samples.sound[0].time, WithinRel(12e-6, 1e-12));
}

TEST_CASE("a row far above both neighbours is named and left out") {
  const Samples samples = samples_of(table_of({{8, 10}, {16, 30}, {32, 11}, {64, 12}}));
  CHECK(samples.sound.size() == 3);
  REQUIRE(samples.spikes.size() == 1);
  CHECK(samples.spikes[0].size == 16);
  REQUIRE(samples.remarks.size() == 1);
  CHECK(samples.remarks[0].line == 2);
  CHECK(samples.remarks[0].text == "line 2: 16 B took 30 us, the next size 11: a spike, left out");
}

TEST_CASE("a slow first row is a spike, a slow last row is growth") {
  CHECK(samples_of(table_of({{8, 90}, {16, 10}, {32, 10}})).spikes.size() == 1);
  CHECK(samples_of(table_of({{8, 10}, {16, 10}, {32, 90}})).spikes.empty());
}

TEST_CASE("a step up is no spike") {
  CHECK(samples_of(table_of({{8, 10}, {16, 30}, {32, 31}, {64, 32}})).spikes.empty());
}

TEST_CASE("out of place far above in place is named, and the smaller is taken") {
  CollectiveTable table = table_of({{128, 25.6}, {256, 94.4}, {512, 26.3}});
  table.rows[1].in_place = Seconds{25.9e-6};
  const Samples samples = samples_of(table);
  REQUIRE(samples.sound.size() == 3);
  CHECK_THAT(samples.sound[1].time, WithinRel(25.9e-6, 1e-12));
  REQUIRE(samples.remarks.size() == 1);
  CHECK(samples.remarks[0].text ==
        "line 2: 256 B took 94.4 us out of place and 25.9 in place: the larger is a spike");
  for (const auto& [in_place, is_spike] :
       {std::pair(70e-6, false), {130e-6, false}, {150e-6, true}}) {
    table.rows[1].in_place = Seconds{in_place};  // the other is 94.4 us
    CHECK(samples_of(table).remarks.size() - samples_of(table).spikes.size() == is_spike);
  }
}

TEST_CASE("tables that no curve can be made of are refused") {
  CHECK_THROWS_WITH(samples_of(table_of({})), ContainsText("known.txt: rows: the table has none"));
  CHECK_THROWS_WITH(samples_of(table_of({{0, 10}})), ContainsText("known.txt:1: size"));
  CHECK_THROWS_WITH(samples_of(table_of({{8, 10}, {16, 0}})), ContainsText("known.txt:2: time"));
}

}  // namespace tofn
