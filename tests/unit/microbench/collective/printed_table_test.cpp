#include "microbench/collective/printed_table.hpp"

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::bench;
using namespace tofn::test;

namespace {

CollectiveHeading heading(int count, int size, int nodes) {
  return {.operation = "all-reduce",
          .type = "fp32",
          .group = "rails",
          .groups = {.of_rank = {}, .count = count, .size = size, .nodes = nodes},
          .in_place = true,
          .library = "Some MPI 1.2",
          .memory = "host"};
}

}  // namespace

TEST_CASE("a heading says who takes part where") {
  CHECK(left_out(heading(1, 4, 1), "why") ==
        "# all-reduce, fp32, in place, rails: 4 ranks on 1 node; Some MPI 1.2, host memory: left "
        "out: why\n\n");
  CHECK_THAT(left_out(heading(1, 1, 1), ""), ContainsText("rails: 1 rank on 1 node; "));
  CHECK(left_out(heading(1, 4, 2), "why") ==
        "# all-reduce, fp32, in place, rails: 4 ranks on 2 nodes; Some MPI 1.2, host memory: left "
        "out: why\n\n");
  CHECK_THAT(left_out(heading(8, 2, 2), ""),
             ContainsText("rails: 8 groups of 2 ranks on 2 nodes at the same time; "));
}

TEST_CASE("a row has size, time and bandwidths under their headings") {
  RecordPoint point;
  point.parameters = {{"size_bytes", 1048576LL}};
  point.host_samples = {100e-6};
  point.summary = {.median = 100e-6,
                   .interval = {.low = 99e-6, .high = 101e-6},
                   .repeat = {.low = 98e-6, .high = 102e-6}};
  point.figures = {{"algorithm_bandwidth_gb_s", 10.48576}, {"bus_bandwidth_gb_s", 15.72864}};
  point.flags = {"bimodal: x"};
  CHECK(collective_table(heading(1, 4, 1), std::vector{point}) ==
        "# all-reduce, fp32, in place, rails: 4 ranks on 1 node; Some MPI 1.2, host memory\n"
        "#         size       time         95 % interval   repeat samples outl.    algbw    busbw  "
        "notes\n"
        "#          (B)       (us)                  (us)      (%)                 (GB/s)   (GB/s)\n"
        "       1048576      100.0         99.00 - 101.0     ±2.0       1     0    10.49    15.73  "
        "bimodal: x\n\n");
}
