#include "sim/measurements/record_tables.hpp"

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

}  // namespace
}  // namespace tofn
