#include "sim/report/list_report.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("a fabric's latency is the one that clusters of it take, in microseconds") {
  LinkFamily family{.name = "made up"};
  family.latency.value = Seconds{2e-6};
  family.latency_factor = 1.5;
  const Records records = list_fabrics(std::vector{family}).records;
  const auto column = std::find(records.columns.begin(), records.columns.end(), "latency_us");
  REQUIRE(column != records.columns.end());
  const Value& cell =
      records.rows.at(0).at(static_cast<std::size_t>(column - records.columns.begin()));
  CHECK_THAT(std::get<double>(cell), WithinRel(3.0, 1e-12));
}
