#include "sim/formats/collective_logs/collective_log.hpp"

#include <filesystem>

#include "sim/core/file.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

namespace tofn {
namespace {

using test::ContainsText;
using test::refusal;

/// Reads an excerpt of a published log under a name that states as much as the original name.
LogReading read_excerpt(const std::string& excerpt, const std::string& name,
                        const LogHints& hints = {}) {
  const std::filesystem::path folder =
      std::filesystem::path(TOFN_SOURCE_DIR) / "tests/measurements";
  return read_collective_log(read_text_file(folder / excerpt), name, hints);
}

double microseconds(const std::optional<Seconds>& time) { return time.value().base() * 1e6; }

TEST_CASE("an old nccl-tests log says its figures, its name the ranks", "[measurements]") {
  const LogReading reading = read_excerpt("abci-16x8-allreduce.txt", "abci-16x8-allreduce.txt");
  REQUIRE(reading.tables.size() == 1);
  const CollectiveTable& table = reading.tables.front();
  CHECK(table.collective == CollectiveKind::AllReduce);
  CHECK(table.ranks == 128);
  CHECK(table.nodes == 16);
  CHECK(table.type == "float");
  CHECK_THAT(table.source, ContainsText("aistabci/abci2.0benchmark"));
  REQUIRE(table.rows.size() == 7);
  CHECK(table.rows[0].size == Bytes{4});
  CHECK(table.rows[0].line == 6);
  CHECK_THAT(microseconds(table.rows[0].out_of_place), test::WithinRel(67.85, 1e-12));
  CHECK_THAT(microseconds(table.rows[0].in_place), test::WithinRel(61.84, 1e-12));
  CHECK_THAT(table.rows[0].time().base(), test::WithinRel(61.84e-6, 1e-12));
}

TEST_CASE("the program's name says the collective", "[measurements]") {
  const LogReading reading = read_excerpt("cluster01-10x4-alltoall.txt", "log-10x4.txt");
  REQUIRE(reading.tables.size() == 1);
  CHECK(reading.tables[0].collective == CollectiveKind::AllToAll);
  CHECK(reading.tables[0].ranks == 40);
  CHECK(reading.tables[0].nodes == 10);
}

// An all-gather in the format of before 2021: size, count and type, then time, bandwidths and
// error, out of place and in place.
TEST_CASE("rows without their head are read by how many words they have", "[measurements]") {
  const LogReading reading = read_collective_log(
      "# all_gather_perf\n1024 128 float 20.0 0.05 0.04 0e+00 10.0 0.10 0.09 0e+00\n", "2x4.txt",
      {.collective = CollectiveKind::AllGather});
  REQUIRE(reading.tables.size() == 1);
  CHECK_THAT(microseconds(reading.tables[0].rows.at(0).out_of_place), test::WithinRel(20.0, 1e-12));
  CHECK_THAT(microseconds(reading.tables[0].rows.at(0).in_place), test::WithinRel(10.0, 1e-12));
}

TEST_CASE("lines of GPUS= and ALGO= start a table", "[measurements]") {
  const LogReading gpus = read_excerpt("quietbox-1x4-allreduce-gpus.txt", "1x4-allreduce.txt");
  REQUIRE(gpus.tables.size() == 2);
  CHECK(gpus.tables[0].ranks == 2);
  CHECK(gpus.tables[1].ranks == 4);
  CHECK(gpus.tables[1].nodes == 1);
  const LogReading algorithms =
      read_excerpt("quietbox-1x4-allreduce-algo.txt", "1x4-allreduce.txt");
  REQUIRE(algorithms.tables.size() == 2);
  CHECK(algorithms.tables[0].algorithm == "Ring");
  CHECK(algorithms.tables[0].rows.size() == 3);
  CHECK(algorithms.tables[1].algorithm == "Tree");
}

TEST_CASE("a row with wrong results is left out", "[measurements]") {
  const LogReading reading = read_excerpt("cscs-16x4-allreduce-wrong.txt", "16x4-allreduce.txt");
  CHECK_THAT(reading.remarks.at(0),
             ContainsText("16x4-allreduce.txt:6: left out: 2752 wrong values"));
  CHECK(reading.tables.at(0).rows.size() == 5);
  CHECK(reading.tables.at(0).ranks == 64);
  CHECK(reading.tables.at(0).wrong_results.starts_with("2752 wrong values at "));
}

constexpr const char* row =
    "  268435456  67108864  float  sum  -1  1187.29  226.09  339.14  0  1182.80  226.95  340.42  "
    "0\n";

TEST_CASE("a row whose time and bandwidth are of different messages is refused", "[measurements]") {
  const std::string head =
      "#  size count type redop root time algbw busbw #wrong time algbw busbw #wrong\n";
  const auto log = [&](const char* time) {
    return head + "  1048576  262144 float sum -1 " + time + " 7.467 14.00 0 140.4 7.467 14.00 0\n";
  };
  const LogHints hints{.ranks = 16, .nodes = 2};
  CHECK(read_collective_log(log("140.4"), "job.txt", hints).tables.size() == 1);
  CHECK(refusal([&] { read_collective_log(log("1404"), "job.txt", hints); }) ==
        "job.txt:2: algbw: 1.04858e+06 B in 1.4 ms are 0.747 GB/s, but the row says 7.47");
}

TEST_CASE("what the file's name tells is one remark", "[measurements]") {
  const LogReading reading = read_collective_log(row, "site-2x2-allreduce.txt", {});
  REQUIRE(reading.remarks.size() == 1);
  CHECK_THAT(reading.remarks[0],
             ContainsText("taken from the file's name: 4 ranks, 2 nodes, all-reduce"));
}

TEST_CASE("busbw over algbw tells the ranks and finds a contradiction", "[measurements]") {
  // Bus factor: 339.14 / 226.09 = 1.5 = 2 (n - 1) / n for n = 4.
  const LogReading reading = read_collective_log(row, "log.txt", {.nodes = 1});
  CHECK(reading.tables.at(0).collective == CollectiveKind::AllReduce);
  CHECK(reading.tables.at(0).ranks == 4);
  CHECK(refusal([] { read_collective_log(row, "log.txt", {.ranks = 8, .nodes = 1}); }) ==
        "log.txt:1: ranks: busbw/algbw is 1.5: all-reduce over 4 ranks, not all-reduce over 8");
  CHECK(refusal([] { read_collective_log(row, "log.txt"); }) ==
        "log.txt:1: nodes: the log does not say how many: give --nodes");
}

TEST_CASE("a table that is not placed is left open with what is known of it", "[measurements]") {
  const LogReading reading = read_collective_log(row, "log.txt", {.leaves_open = true});
  CHECK(reading.tables.empty());
  REQUIRE(reading.open.size() == 1);
  CHECK(reading.open[0].collective == CollectiveKind::AllReduce);
  CHECK(reading.open[0].has_ranks());
  CHECK(reading.open[0].least_ranks == 4);
  CHECK_FALSE(reading.open[0].nodes);
  CHECK(reading.open[0].question ==
        "log.txt:1: nodes: the log does not say how many: give --nodes");
}

TEST_CASE("rounded bandwidths of small sizes bound the ranks by their times", "[measurements]") {
  // Bus factor: 0.54 / (16384 B / 56.65 us = 0.2892 GB/s) = 1.867 = 2 (n - 1) / n for n = 15. It is
  // at most 0.545 / (0.99 x 0.2892) = 1.9036, and n = 21 has 1.9048.
  const LogReading reading =
      read_collective_log("16384 4096 float sum -1 56.65 0.29 0.54 0 56.89 0.29 0.54 0\n",
                          "log.txt", {.nodes = 2, .leaves_open = true});
  REQUIRE(reading.open.size() == 1);
  CHECK(reading.open[0].collective == CollectiveKind::AllReduce);
  CHECK(reading.open[0].least_ranks == 12);
  CHECK(reading.open[0].most_ranks == 20);
}

TEST_CASE("NCCL's own line says the ranks and nodes of the communicator", "[measurements]") {
  const LogReading reading = read_collective_log(
      std::string("a:7:9 [0] NCCL INFO comm 0x1 rank 0 nRanks 4 nNodes 2 localRanks 2\n") + row,
      "log.txt");
  CHECK(reading.tables.at(0).ranks == 4);
  CHECK(reading.tables.at(0).nodes == 2);
  CHECK_THAT(reading.remarks.at(0), ContainsText("log.txt:1: taken from NCCL's own line: "));
}

TEST_CASE("devices say ranks and nodes, prefixes and NCCL's lines do not disturb",
          "[measurements]") {
  const std::string text =
      "0: #  Rank  0 Group  0 Pid 7 on alpha device 0 [0x19] NVIDIA H100\n"
      "0: #  Rank  1 Group  0 Pid 8 on alpha device 1 [0x1a] NVIDIA H100\n"
      "0: #  Rank  2 Group  0 Pid 7 on beta device 0 [0x19] NVIDIA H100\n"
      "0: #  Rank  3 Group  0 Pid 8 on beta device 1 [0x1a] NVIDIA H100\n"
      "0: alpha:7:9 [0] NCCL INFO Using network IB\n"
      "[1,0]<stdout>:" +
      std::string(row);
  const LogReading reading = read_collective_log(text, "log.txt");
  CHECK(reading.tables.at(0).ranks == 4);
  CHECK(reading.tables.at(0).nodes == 2);
  CHECK(refusal([&] { read_collective_log(text, "log.txt", {.nodes = 4}); }) ==
        "log.txt:6: nodes: the log says 2, --nodes says 4");
}

TEST_CASE("of a job split into groups the first says the ranks", "[measurements]") {
  const std::string text =
      "#  Rank  0 Group  0 Pid 7 on alpha device 0 [0x19] NVIDIA H100\n"
      "#  Rank  1 Group  0 Pid 7 on alpha device 1 [0x1a] NVIDIA H100\n"
      "#  Rank  2 Group  0 Pid 7 on alpha device 2 [0x1b] NVIDIA H100\n"
      "#  Rank  3 Group  0 Pid 7 on alpha device 3 [0x1c] NVIDIA H100\n"
      "#  Rank  0 Group  1 Pid 8 on beta device 0 [0x19] NVIDIA H100\n"
      "#  Rank  1 Group  1 Pid 8 on beta device 1 [0x1a] NVIDIA H100\n";
  const LogReading reading = read_collective_log(text + row, "log.txt");
  CHECK(reading.tables.at(0).ranks == 4);
  CHECK(reading.tables.at(0).nodes == 1);
}

TEST_CASE("a bandwidth of nothing tells no time", "[measurements]") {
  const LogReading reading = read_collective_log(
      "# OSU MPI Bandwidth Test v7.5\n# Size      Bandwidth (MB/s)\n1 0.00\n4096 8192.0\n",
      "log.txt", {.nodes = 2});
  REQUIRE(reading.tables.at(0).rows.size() == 1);
  // 4096 B at 8192 MB/s
  CHECK_THAT(microseconds(reading.tables[0].rows[0].out_of_place), test::WithinRel(0.5, 1e-12));
}

TEST_CASE("a table without a column of sizes is none of collectives", "[measurements]") {
  CHECK_THAT(refusal([] {
               read_collective_log(
                   "| Time (us) | busbw |\n|---|---|\n| 250 | 40 |\n", "page.md",
                   {.collective = CollectiveKind::AllReduce, .ranks = 16, .nodes = 2});
             }),
             ContainsText("is none of the known formats"));
}

TEST_CASE("a malformed row is refused where it stands", "[measurements]") {
  const std::string text =
      std::string(row) + "  8  2  float  sum  -1  x  0.0  0.0  0  1  0.0  0.0  0\n";
  CHECK_THAT(refusal([&] { read_collective_log(text, "log.txt", {.nodes = 1}); }),
             ContainsText("log.txt:2:25: time: must be a number of at least 0, is 'x'"));
  CHECK_THAT(refusal([] { read_collective_log("nothing\n", "log.txt"); }),
             ContainsText("log.txt:1:1: is none of the known formats: "));
  CHECK(refusal([] { read_collective_log("", "log.txt"); }) == "log.txt: is empty");
  CHECK_THAT(refusal([] { read_collective_log("#\n# size count(elems) type\n", "log.txt"); }),
             ContainsText("log.txt:1:1: is the output of nccom-test (AWS Neuron), "));
}

TEST_CASE("OSU's all-gather counts per rank", "[measurements]") {
  const LogReading reduce = read_excerpt("abci-16x8-osu-mpicuda.txt", "16x8.txt");
  CHECK(reduce.tables.at(0).collective == CollectiveKind::AllReduce);
  CHECK(reduce.tables.at(0).ranks == 128);
  CHECK_THAT(microseconds(reduce.tables.at(0).rows.at(4).out_of_place),
             test::WithinRel(70.73, 1e-12));
  const LogReading gather = read_collective_log(
      "# OSU MPI Allgather Latency Test v7.5\n# Datatype: MPI_CHAR.\n4 2.5\n", "2x8.txt");
  CHECK(gather.tables.at(0).rows.at(0).size == Bytes{64});
  CHECK(gather.tables.at(0).type == "MPI_CHAR");
}

TEST_CASE("OSU's tests of NCCL are not of MPI", "[measurements]") {
  const auto of = [](std::string_view library) {
    const LogReading read = read_collective_log(
        "# OSU " + std::string(library) + "-CUDA Allgather Latency Test v7.0\n4 2.5\n", "2x8.txt");
    return read.tables.at(0);
  };
  CHECK(of("NCCL").rows.at(0).size == Bytes{64});
  CHECK_FALSE(is_of_mpi(of("NCCL")));
  CHECK(is_of_mpi(of("MPI")));
}

TEST_CASE("IMB: several groups of ranks, the slowest rank's time", "[measurements]") {
  const LogReading reading = read_excerpt("imb-layout.txt", "log.txt", {.nodes = 2});
  REQUIRE(reading.tables.size() == 2);
  CHECK(reading.tables[0].ranks == 4);
  CHECK(reading.tables[0].nodes == 1);
  CHECK(reading.tables[0].rows.at(0).size == Bytes{32});
  CHECK_THAT(microseconds(reading.tables[0].rows.at(0).out_of_place), test::WithinRel(4.0, 1e-12));
  CHECK(reading.tables[1].ranks == 8);
  CHECK(reading.tables[1].nodes == 2);
  const LogReading spread = read_excerpt("imb-layout.txt", "log.txt", {.nodes = 8});
  CHECK(spread.tables[0].nodes == 4);  // one rank a node
  CHECK(spread.tables[1].nodes == 8);
}

TEST_CASE("JSON of nccl-tests", "[measurements]") {
  const LogReading reading = read_excerpt("nccl-json-layout.json", "log.json");
  const CollectiveTable& table = reading.tables.at(0);
  CHECK(table.ranks == 4);
  CHECK(table.nodes == 2);
  REQUIRE(table.rows.size() == 1);
  CHECK_THAT(microseconds(table.rows[0].in_place), test::WithinRel(40.0, 1e-12));
  // The benchmark prints 0 as the bandwidth of small sizes.
  const LogReading small = read_collective_log(
      R"({"args": ["all_reduce_perf"], "config": {"devices": [{"rank": 0, "hostname": "a"},
          {"rank": 1, "hostname": "a"}]}, "results": [{"size": 8, "type": "float", "out_of_place":
          {"time": 40, "alg_bw": 0.0, "bus_bw": 0, "nwrong": 0}, "in_place": null}]})",
      "log.json");
  CHECK_THAT(microseconds(small.tables.at(0).rows.at(0).out_of_place),
             test::WithinRel(40.0, 1e-12));
  CHECK(refusal([] { read_collective_log("{\n \"a\": ]}", "a.json"); }) ==
        "a.json:2:7: is not JSON here");
}

TEST_CASE("published tables: rounded sizes and bus bandwidths", "[measurements]") {
  const LogReading azure = read_excerpt("azure-1x8-allreduce-busbw.txt", "1x8-allreduce.txt");
  const CollectiveTable& table = azure.tables.at(0);
  CHECK(table.rows.at(6).size == Bytes{65536});
  CHECK(table.rows.at(7).size == Bytes{131072});
  // 65 536 B x 1.75 / 2.72 GB/s
  CHECK_THAT(microseconds(table.rows.at(6).in_place), test::WithinRel(42.16470588, 1e-8));
  const LogReading cut = read_excerpt("stas00-1x8-allreduce.txt", "1x8-allreduce.txt");
  CHECK(cut.tables.at(0).rows.at(0).size == Bytes{32768});
  CHECK_THAT(microseconds(cut.tables.at(0).rows.at(0).out_of_place), test::WithinRel(43.83, 1e-12));
}

TEST_CASE("a CSV groups its rows into tables", "[measurements]") {
  const LogReading reading = read_excerpt("table.csv", "table.csv");
  REQUIRE(reading.tables.size() == 2);
  CHECK(reading.tables[0].rows.size() == 2);
  CHECK(reading.tables[1].collective == CollectiveKind::AllGather);
  CHECK_THAT(microseconds(reading.tables[1].rows[0].in_place), test::WithinRel(4.5, 1e-12));
}

}  // namespace
}  // namespace tofn
