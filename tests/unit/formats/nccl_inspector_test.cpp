// Lines in the plugin's documented format (NVIDIA/nccl, plugins/profiler/inspector), not copies of
// real ones.
#include "sim/formats/collective_logs/nccl_inspector.hpp"

#include <fmt/format.h>

#include "sim/formats/collective_logs/collective_log.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

std::string inspected_header(int ranks, int nodes) {
  return fmt::format(
      R"("header":{{"id":"0x1a","rank":0,"n_ranks":{},"nnodes":{}}},"metadata":{{"inspector_output_format_version":"v4.0","dump_timestamp_us":1000000}})",
      ranks, nodes);
}

std::string inspected(const std::string& kind, int number, long long bytes, double microseconds,
                      const std::string& more = "") {
  return fmt::format(
      R"("coll_perf":{{"coll":"{}","coll_sn":{},"coll_msg_size_bytes":{},"coll_exec_time_us":{}{}}})",
      kind, number, bytes, microseconds, more);
}

std::string line_of(const std::string& parts) { return "{" + parts + "}\n"; }

LogReading read_inspected(const std::string& text) {
  return read_collective_log(text, "node1-pid7.log");
}

}  // namespace

TEST_CASE("what ranks hold of a collective of NCCL Inspector becomes the size of nccl-tests") {
  const std::string header = inspected_header(8, 1) + ",";
  const LogReading reading =
      read_inspected(line_of(header + inspected("AllReduce", 1, 1000, 10)) +
                     line_of(header + inspected("ReduceScatter", 1, 1000, 10)) +
                     line_of(header + inspected("AllGather", 1, 1000, 20.0)));
  REQUIRE(reading.tables.size() == 3);
  for (const CollectiveTable& table : reading.tables) {
    CHECK(table.tool == "nccl-inspector");
    CHECK(table.ranks == 8);
    CHECK(table.nodes == 1);
    REQUIRE(table.rows.size() == 1);
    const bool is_whole = table.collective == CollectiveKind::AllReduce;
    CHECK(table.rows.front().size == Bytes{is_whole ? 1000.0 : 8000.0});
  }
}

TEST_CASE("each size counts by the calls that waited for nobody") {
  std::string text;
  for (int i = 0; i <= 20; ++i)
    text += line_of(inspected_header(4, 2) + "," + inspected("AllReduce", i, 4096, 100 + 10 * i));
  const LogReading reading = read_inspected(text);
  REQUIRE(reading.tables.size() == 1);
  REQUIRE(reading.tables.front().rows.size() == 1);
  CHECK_THAT(reading.tables.front().rows.front().time().base(), WithinRel(120e-6, 1e-9));
  CHECK(reading.remarks.front().find("21 calls of 1 sizes") != std::string::npos);
}

TEST_CASE("of one call on several ranks the last to arrive counts") {
  const std::string text =
      line_of(inspected_header(2, 1) + "," + inspected("AllReduce", 5, 4096, 900)) +
      line_of(inspected_header(2, 1) + "," + inspected("AllReduce", 5, 4096, 100));
  const LogReading reading = read_inspected(text);
  REQUIRE(reading.tables.size() == 1);
  CHECK_THAT(reading.tables.front().rows.front().time().base(), WithinRel(100e-6, 1e-9));
}

TEST_CASE("a header of v4.3 counts until the next one") {
  const LogReading reading = read_inspected(
      line_of(inspected_header(8, 1)) + line_of(inspected("AllReduce", 1, 4096, 10)) +
      line_of(inspected_header(16, 2)) + line_of(inspected("AllReduce", 1, 4096, 30)));
  REQUIRE(reading.tables.size() == 2);
  CHECK(reading.tables[0].ranks == 8);
  CHECK(reading.tables[1].ranks == 16);
  CHECK(reading.tables[1].nodes == 2);
}

TEST_CASE("a line that is still being written is left out, a broken one is not") {
  const std::string whole =
      line_of(inspected_header(8, 1) + "," + inspected("AllReduce", 1, 64, 5));
  const LogReading reading = read_inspected(whole + whole.substr(0, 60));
  CHECK(reading.tables.size() == 1);
  CHECK(reading.remarks.front().find("still being written") != std::string::npos);
  CHECK(refusal([&] { read_inspected(whole + "{\"coll_perf\": oops}\n" + whole); }) ==
        "node1-pid7.log:2:1: is no JSON object, as the lines of NCCL Inspector are: "
        "'{\"coll_perf\": oops}'");
}

TEST_CASE("a bandwidth that size and time do not make is refused") {
  const std::string text =
      line_of(inspected_header(8, 1) + "," +
              inspected("AllReduce", 1, 8'000'000, 100, R"(,"coll_busbw_gbs":140.0)"));
  CHECK(read_inspected(text).tables.size() == 1);
  const std::string other = std::string(text).replace(text.find("140.0"), 5, "14.0");
  CHECK(refusal([&] { read_inspected(other); }) ==
        "node1-pid7.log:1: coll_busbw_gbs: says 14, but size, time and ranks of the line make "
        "140");
}

TEST_CASE("what is not predicted is counted and left out") {
  const std::string header = inspected_header(8, 1) + ",";
  const LogReading reading = read_inspected(
      line_of(header + inspected("AllReduce", 1, 4096, 10)) +
      line_of(header + inspected("Reduce", 1, 4096, 10)) +
      line_of(inspected_header(8, 1) + R"(,"p2p_perf":{"p2p":"Send","p2p_msg_size_bytes":1})"));
  CHECK(reading.remarks ==
        std::vector<std::string>{
            "node1-pid7.log:1: 1 left out: Reduce, which is not predicted",
            "node1-pid7.log:1: 1 left out: Send and Recv, which are no collectives"});
}

TEST_CASE("metrics say the bytes of a bucket by time and bandwidth") {
  const std::string labels =
      R"({version="v5.1",nranks="4",n_nodes="1",collective="AllReduce",message_size="4-5GB"})";
  const LogReading reading =
      read_inspected("nccl_bus_bandwidth_gbs" + labels +
                     " 600\nnccl_collective_exec_time_microseconds" + labels + " 10000\n");
  REQUIRE(reading.tables.size() == 1);
  CHECK(reading.tables.front().ranks == 4);
  CHECK_THAT(reading.tables.front().rows.front().size.base(), WithinRel(4e9, 1e-9));
}

TEST_CASE("a kind of collective that is no text is one that is not known") {
  const std::string text =
      line_of(inspected_header(4, 1) + "," + inspected("AllReduce", 1, 4096, 100)) +
      line_of(inspected_header(4, 1) +
              R"(,"coll_perf":{"coll":7,"coll_sn":2,"coll_msg_size_bytes":4096,)"
              R"("coll_exec_time_us":100})");
  const LogReading reading = read_inspected(text);
  REQUIRE(reading.tables.size() == 1);
  CHECK(reading.tables.front().rows.size() == 1);
  CHECK(reading.remarks.front() == "node1-pid7.log:1: 1 left out: collectives without a name");
}

TEST_CASE("calls that the plugin rounds to no time are left out, and said") {
  const LogReading reading =
      read_inspected(line_of(inspected_header(4, 1) + "," + inspected("AllReduce", 1, 8, 0)) +
                     line_of(inspected_header(4, 1) + "," + inspected("AllReduce", 2, 4096, 100)));
  REQUIRE(reading.tables.size() == 1);
  CHECK(reading.tables.front().rows.size() == 1);
  CHECK(reading.remarks.front() ==
        "node1-pid7.log:1: 1 left out: less than 1 us, which the plugin rounds to nothing");
}

TEST_CASE("ranks and nodes of NCCL Inspector are whole numbers from 1") {
  const auto why = [](int ranks, int nodes) {
    return refusal([&] {
      read_inspected(
          line_of(inspected_header(ranks, nodes) + "," + inspected("AllReduce", 1, 1000, 10)));
    });
  };
  CHECK_THAT(why(0, 1), ContainsText("n_ranks: must be a whole number from 1"));
  CHECK_THAT(why(-8, 1), ContainsText("n_ranks: must be a whole number from 1"));
  CHECK_THAT(why(20'000'000, 1), ContainsText("n_ranks: must be a whole number from 1"));
  CHECK_THAT(why(8, 0), ContainsText("nnodes: must be a whole number from 1"));
}
