#include "sim/core/record.hpp"

#include <limits>
#include <set>

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

RecordPoint copy_point() {
  RecordPoint point;
  point.kind = "memory";
  point.parameters = {{"device", "H100"}, {"pattern", "copy"}, {"size_bytes", 1024LL}};
  point.started = "2026-11-21T09:30:00Z";
  point.warm_up_calls = 5;
  point.calls_per_sample = 10;
  point.visits = {2, 1};
  point.is_complete = false;
  point.host_samples = {3e-6, 1e-6, 2.00000049e-6};
  point.summary = {.median = 2.00000049e-6, .interval = {1e-6, 3e-6}, .repeat = {0.5e-6, 1.0}};
  point.figures = {{"bandwidth_gb_s", 1024 / 2e3}};
  return point;
}

}  // namespace

TEST_CASE("a record is written one line a point, times in microseconds of seven digits") {
  const Record record{.provenance = {{"command", "tofn-bench memory"}, {"commit", "abc"}},
                      .environment = {{"OMP_NUM_THREADS", "1"}},
                      .hosts = {{.name = "n1", .ranks = 8, .devices = {"A, 1", "B"}},
                                {.name = "n2", .ranks = 1, .devices = {}}},
                      .points = {copy_point(), copy_point()}};
  const std::string point =
      R"({"kind": "memory", "parameters": {"device": "H100", "pattern": "copy", "size_bytes": 1024}, )"
      R"("started": "2026-11-21T09:30:00Z", "warm_up_calls": 5, "calls_per_sample": 10, "visits": [2, 1], "is_complete": false, )"
      R"("median_us": 2, "interval_us": [1, 3], "repeat_interval_us": [0.5, 1000000], )"
      R"("figures": {"bandwidth_gb_s": 0.512}, "host_samples_us": [3, 1, 2]})";
  CHECK(to_json(record) == R"({
 "tofn_record": 1,
 "provenance": {"command": "tofn-bench memory", "commit": "abc"},
 "environment": {"OMP_NUM_THREADS": "1"},
 "hosts": [
  {"name": "n1", "ranks": 8, "devices": ["A, 1", "B"]},
  {"name": "n2", "ranks": 1, "devices": []}],
 "points": [
)" + point + ",\n" + point + "\n ]\n}\n");
}

TEST_CASE("a record without points is a whole document too") {
  CHECK(to_json(Record{}) == R"({
 "tofn_record": 1,
 "provenance": {},
 "environment": {},
 "hosts": [],
 "points": [

 ]
}
)");
}

TEST_CASE("device samples, device state and flags are written where there are some") {
  RecordPoint point = copy_point();
  point.device_samples = {1.2345678e-3, 12.5e-6, 11e-9};
  point.device_state = {{"clock_mhz", 1980}};
  point.flags = {"bimodal: 1 and 3 \"us\"", "throttled"};
  CHECK_THAT(
      to_json(point),
      ContainsText(
          R"("device_state": {"clock_mhz": 1980.0}, )"
          R"("flags": ["bimodal: 1 and 3 \"us\"", "throttled"], "host_samples_us": [3, 1, 2], )"
          R"("device_samples_us": [1234.568, 12.5, 0.011]})"));
}

TEST_CASE("each type of parameter is told from the others") {
  RecordPoint point = copy_point();
  point.parameters = {{"text", "12"}, {"whole", 12LL}, {"number", 12.0}, {"yes", true}};
  CHECK_THAT(to_json(point), ContainsText(R"({"text": "12", "whole": 12, "number": 12.0, )"
                                          R"("yes": true})"));
}

TEST_CASE("a figure that could not be derived is not written") {
  RecordPoint point = copy_point();
  point.figures = {{"a", std::numeric_limits<double>::quiet_NaN()},
                   {"b", 0.1},
                   {"c", std::numeric_limits<double>::infinity()}};
  CHECK_THAT(to_json(point), ContainsText(R"("figures": {"b": 0.1}, )"));
}

TEST_CASE("every kind of point has parameters, each named once") {
  for (const RecordKind& kind : record_kinds()) {
    CHECK(kind.parameters.size() >= 2);
    const std::set<std::string_view> names(kind.parameters.begin(), kind.parameters.end());
    CHECK(names.size() == kind.parameters.size());
  }
}

TEST_CASE("parameters are found by name, and the device's clock goes before the host's") {
  RecordPoint point = copy_point();
  REQUIRE(parameter(point, "size_bytes") != nullptr);
  CHECK(*parameter(point, "size_bytes") == RecordValue(1024LL));
  CHECK(parameter(point, "size") == nullptr);
  CHECK(point.samples().size() == 3);
  point.device_samples = {1e-6};
  CHECK(point.samples().size() == 1);
}

TEST_CASE("a record says by its provenance or its devices that a stand-in was measured") {
  Record record{.provenance = {{"command", "tofn-bench suite"}},
                .environment = {},
                .hosts = {{.name = "n1", .ranks = 1, .devices = {"NVIDIA H100, 0000:19:00.0"}}},
                .points = {}};
  CHECK_FALSE(is_of_stand_in(record));
  record.hosts[0].devices.emplace_back("stand-in for a GPU, 0000:01:00.0");
  CHECK(is_of_stand_in(record));
  record.hosts.clear();
  record.provenance.emplace_back(stand_in_key, "of the tests");
  CHECK(is_of_stand_in(record));
}
