#include "sim/formats/collective_logs/record_tables.hpp"

#include "tests/catch.hpp"

namespace tofn {
namespace {

RecordPoint point(const std::string& operation, long long size, bool in_place, double median) {
  RecordPoint made;
  made.kind = "collective";
  made.parameters = {{"operation", operation}, {"type", std::string("fp32")},
                     {"size_bytes", size},     {"group_ranks", 16LL},
                     {"group_nodes", 2LL},     {"in_place", in_place}};
  made.summary.median = median;
  return made;
}

TEST_CASE("a record's collectives are tables with both places in a row", "[measurements]") {
  Record record;
  record.points = {point("all-reduce", 2048, false, 6e-6), point("all-reduce", 1024, false, 5e-6),
                   point("all-reduce", 1024, true, 4e-6), point("all-gather", 1024, false, 3e-6),
                   point("send-receive-pairs", 1024, false, 1e-6)};
  const std::vector<CollectiveTable> tables = tables_of(record, "record.json");
  REQUIRE(tables.size() == 2);
  CHECK(tables[0].collective == CollectiveKind::AllReduce);
  CHECK(tables[0].ranks == 16);
  CHECK(tables[0].nodes == 2);
  CHECK(tables[0].type == "fp32");
  REQUIRE(tables[0].rows.size() == 2);
  CHECK(tables[0].rows[0].size == Bytes{1024});
  CHECK(tables[0].rows[0].out_of_place == Seconds{5e-6});
  CHECK(tables[0].rows[0].in_place == Seconds{4e-6});
  CHECK(tables[1].collective == CollectiveKind::AllGather);
}

TEST_CASE("a record of MPI in host memory is none of accelerators", "[measurements]") {
  Record record;
  record.points = {point("all-reduce", 1024, false, 5e-6)};
  CHECK_FALSE(is_of_mpi(tables_of(record, "record.json").front()));
  record.points[0].parameters.emplace_back("backend", std::string("mpi"));
  record.points[0].parameters.emplace_back("memory", std::string("host"));
  CHECK(is_of_mpi(tables_of(record, "record.json").front()));
  CHECK(remarks_on(record) ==
        std::vector<std::string>{
            "1 point of collectives in host memory: links of accelerators took no part"});
}

RecordPoint product(long long edge, double tflops) {
  RecordPoint made;
  made.kind = "gemm";
  made.parameters = {{"type", std::string("bf16")}, {"m", edge}, {"n", edge}, {"k", edge}};
  const auto size = static_cast<double>(edge);
  made.summary.median = 2 * size * size * size / (tflops * 1e12);
  return made;
}

TEST_CASE("what a record's tables do not tell is said", "[measurements]") {
  Record record;
  record.points = {point("all-reduce", 1024, false, 1e-6), point("all-reduce", 2048, false, 2e-6),
                   point("all-reduce", 4096, false, 3e-6)};
  CHECK(remarks_on(record).empty());
  record.points[0].flags = {"throttled: heat or a power brake slowed the GPU down"};
  record.points[1].flags = {"unsettled: within 25.0 %, not 2.0 %"};
  record.points[1].summary.interval = {.low = 1.5e-6, .high = 2.5e-6};
  // One product is too small, three have 1 to 2 TFLOP, and one is too large.
  for (const auto& [edge, tflops] : {std::pair{4096LL, 900.0},
                                     {8000LL, 600.0},
                                     {8192LL, 700.0},
                                     {9000LL, 500.0},
                                     {16384LL, 900.0}})
    record.points.push_back(product(edge, tflops));
  record.points.emplace_back().kind = "launch";
  CHECK(remarks_on(record) ==
        std::vector<std::string>{
            "1 point left out: heat or a power brake slowed the GPU down",
            "1 point of collectives did not settle, the worst within 25.0 %",
            "bf16 products reach 600 TFLOP/s (median of 3 of 1 to 2 TFLOP): `best_product` of its "
            "accelerator's file",
            "6 points of gemm and launch make no curve: `tofn check` shows them"});
  const auto tables = tables_of(record, "record.json");
  REQUIRE(tables.size() == 1);
  CHECK(tables[0].rows.size() == 2);
}

}  // namespace
}  // namespace tofn
