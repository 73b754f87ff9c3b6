// Tables that users paste: lists with gaps, two jobs in one output, labels within lines.
#include <utility>
#include <vector>

#include "sim/formats/collective_logs/collective_log.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::string header =
    "#       size         count      type   redop    root     time   algbw   busbw #wrong     time "
    "  "
    "algbw   busbw #wrong\n";

std::string device(int rank, const std::string& host, int process) {
  return "#  Rank " + std::to_string(rank) + " Group  0 Pid " + std::to_string(process) + " on " +
         host + " device  0 [0000:0f:00] NVIDIA A100-SXM4-40GB\n";
}

std::string pasted_collectives_row(long long size) {
  return std::to_string(size) + " 2 float sum -1 100.0 0.00 0.00 0 100.0 0.00 0.00 0\n";
}

LogReading read(const std::string& text, const LogHints& hints = {}) {
  return read_collective_log("# Collective test starting: all_reduce_perf\n" + text, "run.txt",
                             hints);
}

}  // namespace

TEST_CASE("a list of devices that leaves ranks out counts up to its last") {
  // github.com/oracle-quickstart/oci-hpc-oke, running-nccl-rccl-tests-from-slurm-operator.md
  const std::string list = device(0, "a", 2574) + device(7, "a", 2581) + device(8, "b", 2087) +
                           device(15, "b", 2101) + header + pasted_collectives_row(1024);
  const LogReading reading = read(list);
  CHECK(reading.tables.front().ranks == 16);
  CHECK(reading.tables.front().nodes == 2);
  CHECK(reading.remarks.front() == "run.txt:7: 16 ranks: the list names 4 of them, up to rank 15");
  CHECK(read(list, {.ranks = 32, .nodes = 4}).tables.front().ranks == 32);
}

TEST_CASE("a job split into groups counts the ranks of its first") {
  // NCCL_TESTS_SPLIT of nccl-tests: "MOD 4" and "DIV 4" of eight ranks on two nodes
  const auto split = [](auto group_of) {
    std::string list;
    for (int rank = 0; rank < 8; ++rank) {
      const std::string line = device(rank, rank < 4 ? "a" : "b", 100 + rank);
      const std::string mark = "Group  ";
      list += line.substr(0, line.find(mark) + mark.size()) + std::to_string(group_of(rank)) +
              line.substr(line.find(mark) + mark.size() + 1);
    }
    return read(list + header + pasted_collectives_row(1024)).tables.front();
  };
  const auto modulo = split([](int rank) { return rank % 4; });
  CHECK(modulo.ranks == 2);
  CHECK(modulo.nodes == 2);
  const auto divided = split([](int rank) { return rank / 4; });
  CHECK(divided.ranks == 4);
  CHECK(divided.nodes == 1);
}

TEST_CASE("times of the host, which -C 1 asks for, are read") {
  std::string titles = header;
  for (std::size_t at = titles.find(" time "); at != std::string::npos; at = titles.find(" time "))
    titles.replace(at, 6, " cputime ");
  const LogReading reading = read(titles + pasted_collectives_row(1024), {.ranks = 8, .nodes = 1});
  CHECK_THAT(reading.tables.front().rows.front().out_of_place->base(), WithinRel(100e-6, 1e-12));
}

TEST_CASE("what OSU and IMB printed beside their tables costs none of them") {
  const std::string osu =
      "# OSU MPI-CUDA Allreduce Latency Test v7.4\n# Size       Avg Latency(us)\n"
      "1024                   10.05\n\n# OSU MPI-CUDA Barrier Latency Test v7.4\n# Avg "
      "Latency(us)\n             12.34\n";
  const LogReading suite = read_collective_log(osu, "osu.txt", {.ranks = 16, .nodes = 2});
  REQUIRE(suite.tables.size() == 1);
  CHECK(suite.tables.front().rows.size() == 1);
  CHECK(suite.remarks == std::vector<std::string>{"osu.txt:5: left out: a test that is not read"});
  CHECK_THAT(
      refusal([&] { read_collective_log(osu.substr(osu.find("# OSU MPI-CUDA B")), "osu.txt"); }),
      ContainsText("osu.txt:1: OSU MPI: reads the tests of: "));
  const std::string imb =
      "# Benchmarking Alltoall\n# #processes = 8\n"
      "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
      "      4194304           10       843.86       928.25       886.05\n"
      "      8388608  out-of-mem.; needed X=   4.004 GB; use flag \"-mem X\"\n";
  const LogReading cut = read_collective_log(imb, "imb.txt", {.nodes = 1});
  REQUIRE(cut.tables.size() == 1);
  CHECK(cut.tables.front().rows.size() == 1);
  CHECK_THAT(cut.remarks.back(),
             ContainsText("imb.txt:5: left out: a size that IMB had no memory"));
}

TEST_CASE("oneCCL's benchmark prints the table of Intel MPI's") {
  // lines of oneCCL's examples/benchmark, from memory of its source
  const std::string text =
      "#------------------------------------------------------------\n"
      "# Benchmarking: allreduce \n# #processes: 16\n"
      "#------------------------------------------------------------\n\n"
      "        #bytes  #repetitions   t_min[usec]   t_max[usec]   t_avg[usec]  stddev[%]\n"
      "          1024            16         12.12         14.34         13.20       2.10\n"
      "       1048576            16        212.12        244.34        230.20       2.10\n"
      "# Benchmarking: allgatherv \n# #processes: 16\n"
      "        #bytes  #repetitions   t_min[usec]   t_max[usec]   t_avg[usec]  stddev[%]\n"
      "          1024            16         12.12         14.34         13.20       2.10\n";
  const LogReading reading = read_collective_log(text, "ccl.txt", {.nodes = 2});
  REQUIRE(reading.tables.size() == 1);
  CHECK(reading.tables[0].tool == "oneccl");
  CHECK(reading.tables[0].ranks == 16);
  REQUIRE(reading.tables[0].rows.size() == 2);
  CHECK_THAT(reading.tables[0].rows[1].time().base(), WithinRel(244.34e-6, 1e-9));
  CHECK_THAT(reading.remarks.back(), ContainsText("ccl.txt:9: left out: a benchmark that is not"));
}

TEST_CASE("sizes in groups of three digits are read") {
  // lines of a GH200 on a page of CSCS
  const std::string rest = " 262,144 float sum -1 100.0 10.49 15.73 0 100.0 10.49 15.73 0\n";
  const LogReading reading =
      read(header + pasted_collectives_row(512) + "1,024 256 float sum -1 100 0 0 0 100 0 0 0\n" +
               "1,048,576" + rest + "1,04,576" + rest + "1048,576" + rest + "1,048,57" + rest,
           {.ranks = 4, .nodes = 1});
  const auto& rows = reading.tables.front().rows;
  REQUIRE(rows.size() == 3);
  CHECK(rows[1].size == Bytes{1024});
  CHECK(rows[2].size == Bytes{1048576});
}

TEST_CASE("a rank that is there twice is of another job") {
  // github.com/NVIDIA/nccl-tests/issues/182
  CHECK(refusal([] {
          read(device(0, "testgpu1", 3591) + device(1, "testgpu1", 3591) +
               device(0, "testgpu2", 2451) + header + pasted_collectives_row(8));
        }) ==
        "run.txt:4: Rank: rank 0 is here twice: these are several jobs, not one of more ranks (is "
        "nccl-tests built with MPI=1?)");
}

TEST_CASE("rows of two jobs among each other are refused, cycles of one are not") {
  const LogHints hints{.ranks = 2, .nodes = 1};
  CHECK(refusal([&] {
          read(header + pasted_collectives_row(8) + pasted_collectives_row(16) +
                   pasted_collectives_row(32) + pasted_collectives_row(64) +
                   pasted_collectives_row(16) + pasted_collectives_row(128) +
                   pasted_collectives_row(32),
               hints);
        }) ==
        "run.txt:9: size: rows of several jobs lie among each other: their sizes fall again and "
        "again");
  CHECK(read(header + pasted_collectives_row(8) + pasted_collectives_row(16) +
                 pasted_collectives_row(32) + pasted_collectives_row(8) +
                 pasted_collectives_row(16) + pasted_collectives_row(32) +
                 pasted_collectives_row(8) + pasted_collectives_row(16),
             hints)
            .tables.front()
            .rows.size() == 8);
}

TEST_CASE("a log that ends within a row keeps the rows before, and says so") {
  const LogHints hints{.ranks = 2, .nodes = 1};
  const std::string whole =
      header + pasted_collectives_row(8) + pasted_collectives_row(16) + pasted_collectives_row(32);
  const std::string row = pasted_collectives_row(64);
  for (const auto& [kept, last] : std::vector<std::pair<std::size_t, std::string>>{
           {1, "6"}, {4, "2"}, {6, "f"}, {row.find("100.0") + 3, "100"}, {row.size() - 4, "0.0"}}) {
    const LogReading reading = read(whole + row.substr(0, kept), hints);
    CHECK(reading.tables.front().rows.size() == 3);
    CHECK(reading.remarks.front() ==
          "run.txt:6: left out: the last row is cut: it ends in '" + last + "'");
  }
  CHECK(read(whole + row.substr(0, row.size() - 1), hints).tables.front().rows.size() == 4);
  CHECK(read(whole + "64 2 float sum -1 100.0 0.00 0.00 0 100.0 0.00 0.00 N/", hints)
            .remarks.front() == "run.txt:6: left out: the last row is cut: it ends in 'N/'");
  // The next program of the same job continues.
  const std::string next = "# Collective test starting: all_gather_perf\n" + whole;
  CHECK(read(whole + "64 2 float sum -1 10slurmstepd: error: CANCELLED\n" + next, hints)
            .tables.size() == 2);
  CHECK(refusal([&] { read(header + "64 2 float\n" + pasted_collectives_row(128), hints); }) ==
        "run.txt:3: the row has 3 words, its table has 13 columns");
}

TEST_CASE("a table of one rank is refused") {
  // mlcommons/training_results_v5.0, Supermicro, nccl_alltoall_half.txt
  CHECK(refusal([] { read(device(0, "node", 297260) + header + pasted_collectives_row(8)); }) ==
        "run.txt:4: ranks: one rank exchanges nothing: these are the times of copies, or of a job "
        "that was started with one rank by mistake");
}

TEST_CASE("a launcher's labels within a row are no figures") {
  const auto reading =
      read(header + "1024 256 float sum -1 27.83 0.04 0.07 0[0] 27.50 0.04 0.07 0\n" +
               "2048 512 float sum -1 30.00 0.07 0.12 0 [1] 29.00 0.07 0.12 0\n",
           {.ranks = 8, .nodes = 1});
  REQUIRE(reading.tables.front().rows.size() == 2);
  CHECK_THAT(reading.tables.front().rows[0].out_of_place->base(), WithinRel(27.83e-6, 1e-9));
  CHECK_THAT(reading.tables.front().rows[1].in_place->base(), WithinRel(29e-6, 1e-9));
}

TEST_CASE("OSU's reduce is read as a broadcast, and said to be") {
  // github.com/open-mpi/ompi/pull/12318
  const auto reading = read_collective_log(
      "# OSU MPI-CUDA Reduce Latency Test v7.2\n# Datatype: MPI_CHAR.\n"
      "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
      "1                      49.54             41.59             57.18        1000\n",
      "osu.txt", {.ranks = 96, .nodes = 12});
  CHECK(reading.tables.front().collective == CollectiveKind::Broadcast);
  CHECK_THAT(reading.tables.front().rows.front().time().base(), WithinRel(49.54e-6, 1e-9));
  CHECK(reading.remarks.front() ==
        "osu.txt:1: a reduce goes the way of a broadcast backwards: it is read as one");
}

TEST_CASE("OSU between two ranks: latency, and bandwidth as the time of a message") {
  // github.com/openucx/ucx/issues/11020
  const auto latency = read_collective_log(
      "# OSU MPI Latency Test v7.5\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)\n"
      "1                       0.94\n",
      "osu.txt", {.nodes = 1});
  CHECK(latency.tables.front().collective == CollectiveKind::SendReceive);
  CHECK(latency.tables.front().ranks == 2);
  CHECK_THAT(latency.tables.front().rows.front().time().base(), WithinRel(0.94e-6, 1e-9));
  const auto bandwidth = read_collective_log(
      "# OSU MPI-CUDA Bandwidth Test v7.2\n# Size      Bandwidth (MB/s)\n1048576      20000.00\n",
      "osu.txt", {.nodes = 2});
  CHECK_THAT(bandwidth.tables.front().rows.front().time().base(), WithinRel(1048576 / 2e10, 1e-9));
  CHECK(bandwidth.remarks.front() ==
        "osu.txt:1: a bandwidth is of many messages in flight: one alone takes longer");
}

TEST_CASE("a comment or a rule within a table is none of its rows, and begins no other table") {
  const LogReading reading = read_collective_log(
      "| size | time (us) |\n|------|------|\n| 8M | 89.99 |\n# size time (us)\n"
      "# 12M 100\n| 16M | 170 |\n",
      "t.txt", {.collective = CollectiveKind::AllReduce, .ranks = 8, .nodes = 1});
  REQUIRE(reading.tables.size() == 1);
  CHECK(reading.tables[0].rows.size() == 2);
}

TEST_CASE("a cell between bars is refused where it stands") {
  const LogHints hints{.ranks = 8, .nodes = 1};
  CHECK(refusal([&] {
          read_collective_log("all-reduce\n| size | time (us) |\n| 8M | 89.99 |\n| 16M |  x |\n",
                              "t.txt", hints);
        }) == "t.txt:4:10: time (us): must be a number of at least 0, is 'x'");
}

TEST_CASE("programs of nccl-tests whose collective is not read are named") {
  const auto run = [](const std::string& program, const std::string& operation) {
    return "# Collective test starting: " + program +
           "\n# nThread 1 nGpus 2\n"
           "#  Rank  0 Group  0 Pid 10 on gpu00 device  0 [0000:00:00] NVIDIA H100 80GB HBM3\n"
           "#  Rank  1 Group  0 Pid 11 on gpu00 device  1 [0000:01:00] NVIDIA H100 80GB HBM3\n"
           "#       size         count      type   redop    root     time   algbw   busbw #wrong\n"
           "       65536         16384     float " +
           operation + "      -1    20.03    3.27    3.27      0\n";
  };
  const auto read = [](const std::string& text) { return read_collective_log(text, "run.log"); };
  const std::string unread =
      "measures none that is read: all-reduce, reduce-scatter, all-gather, broadcast, all-to-all "
      "or send-receive";
  CHECK(refusal([&] { read(run("gather_perf", "none")); }) ==
        "run.log:6: collective: gather_perf " + unread);
  // The reduction column of hypercube is empty.
  CHECK(refusal([&] { read(run("hypercube_perf", "    ")); }) ==
        "run.log:6: collective: hypercube_perf " + unread);
  const LogReading both = read(run("all_reduce_perf", "sum ") + run("reduce_perf", "sum "));
  CHECK(both.tables.size() == 1);
  CHECK(both.remarks.front() == "run.log:12: left out: reduce_perf " + unread);
}

TEST_CASE("nccl-tests that are cut before their first row are named") {
  CHECK(refusal([] {
          read_collective_log(
              "+ ./all_reduce_perf -b 8\n# nThread 1 nGpus 2 minBytes 8\n# Using "
              "devices\n",
              "run.log");
        }) ==
        "run.log:2: nccl-tests begin here, and no row of theirs follows: the log is cut, or its "
        "job did not come so far");
}

TEST_CASE("tables of nccl-tests' kin: a mean time, no type, or a bandwidth beside the type") {
  const LogHints hints{.collective = CollectiveKind::AllReduce, .ranks = 16, .nodes = 2};
  const auto first = [&](const std::string& text) {
    return read_collective_log(text, "kin.txt", hints).tables.front();
  };
  for (const char* text :
       {"# size count type redop tavg algbw busbw error\n"
        "1048576 262144 float sum 643.4 1.63 3.06 5e-07\n",
        "# size(B) count type tavg(usec) algbw(GB/s) busbw(GB/s)\n"
        "1048576 262144 float 643.4 1.63 3.06\n",
        "size(B) count type tmin(usec) tavg(usec)\n1048576 262144 float 600.0 643.4\n",
        // mscclpp-test prints no type.
        "# size count time algbw busbw #wrong time algbw busbw #wrong\n"
        "1048576 262144 643.4 1.63 3.06 0 650.0 1.61 3.02 0\n"}) {
    INFO(text);
    const CollectiveTable table = first(text);
    REQUIRE(table.rows.size() == 1);
    CHECK_THAT(table.rows.front().time().base(), WithinRel(643.4e-6, 1e-9));
  }
  // Time: 1048576 x 2 x 15 / 16 over 3.06 GB/s.
  const CollectiveTable bus = first("# size type busbw\n1048576 float 3.06\n");
  CHECK_THAT(bus.rows.front().time().base(), WithinRel(1966080 / 3.06e9, 1e-9));
  CHECK(bus.type == "float");
}
