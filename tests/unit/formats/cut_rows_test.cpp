#include <string>

#include "sim/formats/collective_logs/collective_log.hpp"
#include "sim/formats/step_logs/step_log.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

const std::string osu =
    "# OSU MPI Allreduce Latency Test v7.5\n"
    "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n"
    "4                      39.20             35.38             42.80        1000\n";

LogReading read_of(const std::string& text, const std::string& name = "16x8.txt") {
  return read_collective_log(text, name);
}

}  // namespace

TEST_CASE("OSU: a last row without an end and with less than the row above it is cut") {
  for (const char* last : {"8  ", "8   4", "8   41.72   40.0", "8  41.72  40.00  43.10"}) {
    CAPTURE(last);
    const LogReading reading = read_of(osu + last);
    CHECK(reading.tables.at(0).rows.size() == 1);
    CHECK(reading.remarks.front() == "16x8.txt:4: left out: the last row is cut");
  }
  CHECK(read_of(osu + "8  41.72  40.00  43.10  1000").tables.at(0).rows.size() == 2);
  const std::string plain = "# OSU MPI Allreduce Latency Test v7.5\n4 39.20\n8 41.";
  CHECK(read_of(plain + "72").tables.at(0).rows.size() == 2);
  CHECK(read_of(plain + "7").tables.at(0).rows.size() == 1);
}

TEST_CASE("IMB: a last row without an end and with fewer words than its header is cut") {
  const std::string text =
      "# Benchmarking Allreduce\n# #processes = 4\n"
      "       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
      "           32         1000         3.00         4.00         3.50\n";
  for (const char* last : {"64", "64  1000  3.1", "64  1000  3.10  4"}) {
    const LogReading reading = read_of(text + last, "1x4.txt");
    CHECK(reading.tables.at(0).rows.size() == 1);
    CHECK(reading.remarks.front() == "1x4.txt:5: left out: the last row is cut");
  }
}

TEST_CASE("a CSV of collectives: a short last row is cut, a whole one may be") {
  const std::string text = "collective,ranks,nodes,size_bytes,time_us\nall-reduce,8,1,1048576,55\n";
  const LogReading cut = read_of(text + "all-reduce,8,1,20971", "a.csv");
  CHECK(cut.tables.at(0).rows.size() == 1);
  CHECK(cut.remarks.front() ==
        "a.csv:3: row has 4 cells, the header has 5: the last line is cut, and left out");
  const LogReading doubtful = read_of(text + "all-reduce,8,1,2097152,6", "a.csv");
  CHECK(doubtful.tables.at(0).rows.size() == 2);
  CHECK(doubtful.remarks.front() == "a.csv:3:24: time_us: the last line has no end: 6 may be cut");
  CHECK(read_of(text + "all-reduce,8,1,2097152,65\n", "a.csv").remarks.empty());
  CHECK(refusal([&] { read_of(text + "all-reduce,8,1,2097152\n", "a.csv"); }) ==
        "a.csv:3: row has 4 cells, the header has 5");
  CHECK(refusal([&] { read_of(text + "all-reduce,8\nall-reduce,8,1,2097152,65", "a.csv"); }) ==
        "a.csv:3: row has 2 cells, the header has 5");
}

TEST_CASE("of a table of single steps a last line without an end is left out") {
  for (const char* comma : {",", " "}) {
    std::string text = "step,gpus,batch,step_s\n1,8,64,9.5\n2,8,64,1.5\n3,8,64,1.5\n";
    for (char& c : text)
      if (c == ',') c = *comma;
    const auto surveyed = [&](std::string last) {
      for (char& c : last)
        if (c == ',') c = *comma;
      return survey_step_log(text + last, "a.csv");
    };
    CHECK(surveyed("").runs.front().seconds.size() == 3);
    const StepLogSurvey half = surveyed("4,8,64,1");
    CHECK(half.runs.front().seconds.size() == 3);
    CHECK(half.remarks.front() ==
          "a.csv:5: left out: the last line has no end, and a figure of it may be cut");
    CHECK(surveyed("4,8").runs.front().seconds.size() == 3);
  }
}
