#include "sim/config/load_record.hpp"

#include <sstream>

#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/temporary_file.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// A record of 1 MB in 100 us on 4 ranks: 10 GB/s, x 1.5 on the bus of an all-reduce.
const std::string collective = R"({"kind": "collective",
"parameters": {"operation": "all-reduce", "backend": "nccl", "library": "NCCL 2.28", "memory": "device",
"type": "float32", "size_bytes": 1000000, "group": "world", "group_ranks": 4,
"group_nodes": 1, "groups": 1, "in_place": true, "cuda_graph": false, "registered": false},
"started": "2026-11-21T09:30:00Z",
"warm_up_calls": 5,
"calls_per_sample": 1, "visits": [2, 1], "is_complete": false,
"median_us": 100,
"interval_us": [98, 103],
"repeat_interval_us": [97, 104],
"figures": {"bus_bandwidth_gb_s": 15},
"device_state": {"clock_mhz": 1980},
"flags": ["bimodal"],
"host_samples_us": [120, 115, 130],
"device_samples_us": [103, 98, 100]})";

const std::string gemm =
    R"({"kind": "gemm", "parameters": {"device": "d", "library": "l", "type": "bf16", "m": 1, "n": 2, "k": 3},
"started": "t", "warm_up_calls": 0, "calls_per_sample": 1, "visits": [4], "is_complete": true,
"median_us": 2.5, "interval_us": [1, 4], "repeat_interval_us": [1, 4], "figures": {},
"host_samples_us": [4, 1, 3, 2]})";

/// A correct record; the collective starts on line 6, the product on line 21.
const std::string good = R"({"tofn_record": 1,
"provenance": {"command": "tofn-bench"},
"environment": {"NCCL_DEBUG": "1"},
"hosts": [{"name": "n1", "ranks": 4, "devices": ["H100"]}],
"points": [
)" + collective + ",\n" + gemm +
                         "]}\n";

Record record_from(const std::string& text) {
  return load_record(TemporaryFile("record.json", text).path());
}

/// Message that refuses the good record with one text replaced, without the file's name.
std::string refusal_of(const std::string& what, const std::string& by) {
  std::string text = good;
  REQUIRE(text.find(what) != std::string::npos);
  text.replace(text.find(what), what.size(), by);
  const TemporaryFile file("record.json", text);
  const std::string whole = refusal([&] { load_record(file.path()); });
  const std::string name = file.path().string();
  return whole.starts_with(name) ? whole.substr(name.size()) : whole;
}

}  // namespace

TEST_CASE("a record is read with its units and types") {
  const Record record = record_from(good);
  CHECK(record.provenance == RecordTexts{{"command", "tofn-bench"}});
  CHECK(record.environment == RecordTexts{{"NCCL_DEBUG", "1"}});
  REQUIRE(record.hosts.size() == 1);
  CHECK(record.hosts[0].ranks == 4);
  REQUIRE(record.points.size() == 2);
  const RecordPoint& point = record.points[0];
  CHECK(*parameter(point, "operation") == RecordValue("all-reduce"));
  CHECK(*parameter(point, "size_bytes") == RecordValue(1000000LL));
  CHECK(*parameter(point, "in_place") == RecordValue(true));
  CHECK_THAT(point.host_samples[1], WithinRel(115e-6, 1e-12));
  CHECK_THAT(point.samples()[1], WithinRel(98e-6, 1e-12));
  CHECK_THAT(point.summary.median, WithinRel(100e-6, 1e-12));
  CHECK_THAT(point.summary.interval.high, WithinRel(103e-6, 1e-12));
  CHECK_THAT(point.summary.repeat.low, WithinRel(97e-6, 1e-12));
  CHECK(point.figures == RecordFigures{{"bus_bandwidth_gb_s", 15}});
  CHECK(point.flags == std::vector<std::string>{"bimodal"});
  CHECK(record.points[1].device_samples.empty());
}

TEST_CASE("what was written reads back, and writes the same again") {
  Record record = record_from(good);
  record.provenance.emplace_back("note", "tabs\t\"quotes\" \\ # [x], µ: {}\n\x7f");
  record.environment.emplace_back("EMPTY", "");
  record.environment.emplace_back("LATIN", "\xe9");
  record.points[1].parameters.emplace_back("text", "12");
  record.points[1].parameters.emplace_back("number", 12.0);
  record.points[1].parameters.emplace_back("third", 1.0 / 3);
  record.points[1].parameters.emplace_back("boolean as text", "true");
  const std::string text = to_json(record);
  const Record again = record_from(text);
  CHECK(to_json(again) == text);
  CHECK(again.provenance == record.provenance);
  CHECK(again.environment[1].second.empty());
  CHECK(again.environment[2].second == "\uFFFD");
  CHECK(again.points[1].parameters == record.points[1].parameters);
  CHECK(again.points[0].figures == record.points[0].figures);
}

TEST_CASE("a record without points reads back") {
  CHECK(record_from(to_json(Record{})).points.empty());
}

TEST_CASE("a record of another schema is refused before anything else") {
  CHECK(refusal_of("\"tofn_record\": 1", "\"tofn_record\": 2, \"more\": 1") ==
        ":1:17: tofn_record: is schema 2, this tofn reads 1");
  CHECK(refusal_of("\"tofn_record\": 1,", "") == ":1:1: missing key 'tofn_record'");
}

TEST_CASE("keys that a record does not have are refused") {
  CHECK_THAT(refusal_of("\"hosts\"", "\"host\""),
             Catch::Matchers::StartsWith(":1:1: missing key 'hosts'\n") &&
                 ContainsText(":4:1: unknown key 'host', did you mean 'hosts'?"));
  CHECK(refusal_of("\"hosts\"", "\"weather\": 1, \"hosts\"") ==
        ":4:1: unknown key 'weather'; valid keys: tofn_record, provenance, environment, hosts, "
        "points, sources");
  CHECK_THAT(refusal_of("\"devices\"", "\"device\""),
             Catch::Matchers::StartsWith(":4:11: hosts: missing key 'devices'\n") &&
                 ContainsText("unknown key 'device', did you mean 'devices'?"));
  CHECK(refusal_of("\"ranks\": 4", "\"ranks\": 0") == ":4:35: hosts.ranks: must be at least 1");
  CHECK(refusal_of("\"flags\"", "\"flag\"") ==
        ":18:1: points: unknown key 'flag', did you mean 'flags'? valid keys: kind, parameters, "
        "started, warm_up_calls, calls_per_sample, host_samples_us, device_samples_us, visits, "
        "is_complete, median_us, interval_us, repeat_interval_us, figures, device_state, flags");
}

TEST_CASE("unknown kinds and missing parameters are refused") {
  CHECK(refusal_of("\"collective\"", "\"colective\"") ==
        ":6:10: points.kind: unknown kind 'colective', did you mean 'collective'? valid kinds: "
        "collective, gemm, memory, launch, slowdown, step");
  CHECK(refusal_of("\"groups\"", "\"grops\"") ==
        ":7:15: points.parameters: missing key 'groups', which every collective point has");
  CHECK(refusal_of("\"m\": 1", "\"m\": one") ==
        ":21:85: points.parameters.m: expected a number, true, false or quoted text, got 'one'");
  CHECK(refusal_of("\"m\": 1", "\"m\": [1]") ==
        ":21:85: points.parameters.m: expected text, got a list");
}

TEST_CASE("samples must be times, as many by each clock") {
  CHECK(refusal_of("[120, 115, 130]", "[]") ==
        ":19:20: points.host_samples_us: needs at least one sample");
  CHECK(refusal_of("115", "0") == ":19:26: points.host_samples_us: must be above 0");
  CHECK(refusal_of("115", "-115") == ":19:26: points.host_samples_us: must be above 0");
  for (const std::string odd : {"1e999", ".inf", "NaN", "null"})
    CHECK_THAT(refusal_of("115", odd),
               ContainsText(":19:26: points.host_samples_us: expected a number, got "));
  CHECK(refusal_of("[103, 98, 100]", "[103, 98]") ==
        ":20:22: points.device_samples_us: has 2 samples, host_samples_us has 3");
  CHECK(refusal_of("\"calls_per_sample\": 1", "\"calls_per_sample\": 0") ==
        ":12:21: points.calls_per_sample: must be at least 1");
  CHECK(refusal_of("\"warm_up_calls\": 5", "\"warm_up_calls\": -1") ==
        ":11:18: points.warm_up_calls: must not be negative");
}

TEST_CASE("visits must account for every sample") {
  CHECK(refusal_of("[2, 1]", "[2, 2]") ==
        ":12:34: points.visits: sum to 4 samples, host_samples_us has 3");
  CHECK(refusal_of("[2, 1]", "[3, 0]") == ":12:34: points.visits: holds a visit without a sample");
  CHECK(refusal_of("[2, 1]", "[]") ==
        ":12:34: points.visits: sum to 0 samples, host_samples_us has 3");
}

TEST_CASE("a median that its samples do not have is refused") {
  CHECK(refusal_of("\"median_us\": 100", "\"median_us\": 100.01") ==
        ":13:14: points.median_us: is 100.01, but the samples have 100: edited or damaged");
  CHECK(refusal_of("\"median_us\": 2.5", "\"median_us\": 2") ==
        ":23:14: points.median_us: is 2, but the samples have 2.5: edited or damaged");
  CHECK(refusal_of("\"median_us\": 100", "\"median_us\": 100.0005") == "accepted");
}

TEST_CASE("intervals must hold the median, and the next run's be the wider") {
  CHECK(refusal_of("[98, 103]", "[103, 98]") == ":14:16: points.interval_us: ends below its start");
  CHECK(refusal_of("[98, 103]", "[101, 103]") ==
        ":14:16: points.interval_us: does not hold the median");
  CHECK(refusal_of("[97, 104]", "[97, 99]") ==
        ":15:23: points.repeat_interval_us: does not hold the median");
  CHECK(refusal_of("[98, 103]", "[98]") == ":14:16: points.interval_us: expected [low, high]");
  CHECK(refusal_of("[97, 104]", "[98.5, 103]") ==
        ":15:23: points.repeat_interval_us: is narrower than interval_us");
  CHECK(refusal_of("[97, 104]", "[98, 102.99999]") == "accepted");  // rounding may cause this
}

TEST_CASE("a point measured twice is refused, whatever the order of its parameters") {
  const std::string reordered =
      R"(,{"kind": "gemm", "parameters": {"library": "l", "device": "d", "type": "bf16", "k": 3, "m": 1, "n": 2},
"started": "later", "warm_up_calls": 0, "calls_per_sample": 1, "visits": [1], "is_complete": true,
"median_us": 1, "interval_us": [1, 1], "repeat_interval_us": [1, 1], "figures": {}, "host_samples_us": [1]}]}
)";
  CHECK(refusal_of("]}\n", reordered) ==
        ":24:34: points: kind and parameters are those of the point of line 21");
}

TEST_CASE("a bus bandwidth must follow from size and median") {
  CHECK(refusal_of("\"bus_bandwidth_gb_s\": 15", "\"bus_bandwidth_gb_s\": 10") ==
        ":16:35: points.figures.bus_bandwidth_gb_s: is 10, but size_bytes / median_us x 1.5 gives "
        "15");
  CHECK(refusal_of("\"bus_bandwidth_gb_s\": 15", "\"bus_bandwidth_gb_s\": 15.001") == "accepted");
  CHECK(refusal_of("\"bus_bandwidth_gb_s\": 15", "") == "accepted");
  CHECK(refusal_of("all-reduce", "allreduce") ==
        ":7:29: points.parameters.operation: unknown operation 'allreduce', did you mean "
        "'all-reduce'? valid operations: all-reduce, reduce-scatter, all-gather, broadcast, "
        "all-to-all, send-receive-ring, send-receive-pairs");
  CHECK(refusal_of("\"group_ranks\": 4", "\"group_ranks\": 0") ==
        ":8:76: points.parameters.group_ranks: must be a whole number above 0");
  CHECK(refusal_of("\"size_bytes\": 1000000", "\"size_bytes\": \"1000000\"") ==
        ":8:34: points.parameters.size_bytes: must be a whole number above 0");
}
